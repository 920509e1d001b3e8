import { type RawBuilder, sql } from 'kysely';
import type { Page, PageRequest } from './rows.ts';

/** `limit` and `offset` of a page, for the end of a query. */
export function pageClause({ limit, offset }: PageRequest): RawBuilder<unknown> {
  return sql`limit ${limit} offset ${offset}`;
}

/** Conditions joined by `and`, each absent one left out; for after a condition: it begins with `and` itself. */
export function andAlso(conditions: readonly (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? sql`` : sql`and ${sql.join(present, sql` and `)}`;
}

/** Whether a column contains a text, in any case; undefined (no condition) without a text. */
export function contains(column: string, text: string | undefined): RawBuilder<unknown> | undefined {
  return text === undefined ? undefined : sql`strpos(lower(${sql.ref(column)}), lower(${text})) > 0`;
}

/** A page from its rows and the rows of `select count(*) as total`. */
export function toPage<Row>(rows: Row[], counted: { total: number }[]): Page<Row> {
  return { rows, total: counted[0]?.total ?? 0 };
}

/** The one row of a query that gives one. */
export function single<Row>(rows: readonly Row[], otherwise: () => Error): Row {
  const [row] = rows;
  if (row === undefined) throw otherwise();
  return row;
}
