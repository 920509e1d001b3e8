import type { ColumnType } from 'kysely';

declare const organisationIdBrand: unique symbol;

/** An organisation that a caller was proven to act for: only authentication and registration (`server/store/system`) make one. */
export type OrganisationId = string & { readonly [organisationIdBrand]: true };

/** JSON that goes in as text and comes out parsed. */
export type Json<T> = ColumnType<T, string, string>;
