/** The accepted file types, with MIME type and file extension. A file's type is detected from its content. */
export const fileTypes = {
  jpeg: { mime: "image/jpeg", extension: "jpg" },
  png: { mime: "image/png", extension: "png" },
  webp: { mime: "image/webp", extension: "webp" },
  heic: { mime: "image/heic", extension: "heic" },
  mp4: { mime: "video/mp4", extension: "mp4" },
  mov: { mime: "video/quicktime", extension: "mov" },
  opml: { mime: "text/x-opml", extension: "opml" },
  archive: { mime: "application/octet-stream", extension: "zip" },
} as const;

export type FileType = keyof typeof fileTypes;

export const pictureTypes = ["jpeg", "png", "webp", "heic"] as const satisfies FileType[];
export const videoTypes = ["mp4", "mov"] as const satisfies FileType[];

type FileKind = "picture" | "video" | "opml" | "archive";

/** A file that an operation takes as a field of a form. */
export interface FileField<Kind extends FileKind = FileKind> {
  kind: Kind;
  takes: readonly FileType[];
  /** The maximum size. */
  bytes: number;
  /** How often the field can be repeated. */
  max: number;
  required: boolean;
  description: string;
}

export type Files = Record<string, FileField>;

type Details = Pick<FileField, "bytes" | "description">;

export function picture(details: Details) {
  return { kind: "picture", takes: pictureTypes, max: 1, required: false, ...details } as const;
}

export function video(details: Details) {
  return { kind: "video", takes: videoTypes, max: 1, required: false, ...details } as const;
}

/** A list of feeds. */
export function opml(details: Details) {
  return { kind: "opml", takes: ["opml"], max: 1, required: false, ...details } as const;
}

/** An export of another platform. Its content says what it is. */
export function archive(details: Details) {
  return { kind: "archive", takes: ["archive"], max: 1, required: false, ...details } as const;
}

/** Makes a file mandatory. */
export function required<F extends FileField>(file: F): Omit<F, "required"> & { required: true } {
  return { ...file, required: true };
}

/** Lets a form repeat the field: a file in each. */
export function several<F extends FileField>(max: number, file: F): Omit<F, "max"> & { max: number } {
  return { ...file, max };
}

/** The type that represents each kind of file, such as an upload or a stored file. */
export interface Kinds {
  picture: unknown;
  video: unknown;
  opml: unknown;
  archive: unknown;
}

/** The files that an operation takes, by field. `Alone`: what a field that can be repeated also takes instead of a list. */
export type FilesOf<O, K extends Kinds, Alone extends Kinds = Record<keyof Kinds, never>> = O extends {
  files: infer F extends Files;
}
  ? { [N in keyof F as F[N]["required"] extends true ? N : never]: ValueOf<F[N], K, Alone> } & {
      [N in keyof F as F[N]["required"] extends true ? never : N]?: ValueOf<F[N], K, Alone>;
    }
  : never;

type ValueOf<F extends FileField, K extends Kinds, Alone extends Kinds> = F["max"] extends 1
  ? K[F["kind"]]
  : readonly K[F["kind"]][] | Alone[F["kind"]];
