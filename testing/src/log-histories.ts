import type { Tandem } from "./tandem.ts";

/** The versions and deletions of everything in the log, in its order. */
export async function historiesOf({ storage: { read } }: Tandem) {
  const rows = await read.selectFrom("log_entries").select("entry").orderBy("position").execute();
  const histories = new Map<string, (number | "deletion")[]>();
  for (const { kind, of = kind, id, version = "deletion" } of rows.map(({ entry }) => JSON.parse(entry)))
    if (kind !== "key") histories.set(`${of} ${id}`, [...(histories.get(`${of} ${id}`) ?? []), version]);
  return Object.fromEntries(histories);
}
