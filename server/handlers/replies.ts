import type { Page, PageRequest } from '../store/rows.ts';

// The sender stamps `meta.rq_time`; a handler leaves it out.

/** Status 200 with one object. */
export function ok<Data>(data: Data): { status: 200; body: { data: Data } } {
  return { status: 200, body: { data } };
}

/** Status 201 with the object that was created. */
export function created<Data>(data: Data): { status: 201; body: { data: Data } } {
  return { status: 201, body: { data } };
}

/** Status 200 with the part of a list that was asked for. */
export function listed<Row>(
  page: Page<Row>,
  { limit, offset }: PageRequest,
): { status: 200; body: { data: Row[]; meta: PageRequest & { total: number } } } {
  return { status: 200, body: { data: page.rows, meta: { limit, offset, total: page.total } } };
}

/** The value that an optional field has, where `null` counts as absent. */
export function given<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}
