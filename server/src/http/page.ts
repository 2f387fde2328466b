import type { Context } from "./context.ts";

/**
 * The page of a list, and the cursor of the next page: the id of this page's last row. `rows` are read with one more than
 * the limit, to see whether there is a next page.
 */
export function pageOf<Row extends { id: number }>(
  ctx: Pick<Context, "nextPage">,
  rows: readonly Row[],
  limit: number,
): { page: Row[]; nextCursor: number | null } {
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { page, nextCursor: ctx.nextPage(next) };
}
