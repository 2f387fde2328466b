import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { Refusal } from "../refusal.ts";

/** The version of the format. */
export const FORMAT = 1;

export const MANIFEST = "manifest.json";
export const MANIFEST_SUM = "manifest.sha256";
/** What the names of media files begin with. */
export const MEDIA = "media/";

const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

const TableSummary = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Count,
  /** The last id that the table has assigned; null if it assigns none. */
  lastId: Type.Union([Count, Type.Null()]),
  sha256: Sha256,
});

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  createdAt: Type.String(),
  engine: Type.String(),
  schema: Type.String(),
  /** The keys in `DATA_DIR/secrets.key`, in base64. Those in `SECRETS_KEY` aren't part of a backup. */
  secretKeys: Type.Array(Type.String()),
  /** The ids of other keys that its secrets are encrypted with, such as that in `SECRETS_KEY`. */
  keysElsewhere: Type.Array(Type.String()),
  tables: Type.Array(TableSummary),
  media: Type.Object({
    files: Count,
    bytes: Count,
    /** Files that the database names, but that were missing when the backup was made. */
    missing: Count,
    sha256: Sha256,
  }),
});

export type TableSummary = Static<typeof TableSummary>;
export type Manifest = Static<typeof Manifest>;

/** Parses a manifest whose checksum is right. */
export function parseManifest(text: string): Manifest {
  const given: unknown = JSON.parse(text);
  if (Value.Check(Manifest, given)) return given;
  throw new Refusal("The backup has a format that this version of Tandem doesn't know.");
}

/** A part's name in the archive; parts of a table count from 1. */
export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, "0")}.ndjson.gz`;
}

/** The table that a part belongs to; null for other files. */
export function tableOfPart(name: string): string | null {
  return /^tables\/([a-z_]+)\/\d{6,}\.ndjson\.gz$/.exec(name)?.[1] ?? null;
}
