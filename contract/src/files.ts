/** The types of files that are taken, judged by content; each with its MIME type and the end of its names. */
export const fileTypes = {
  jpeg: { mime: "image/jpeg", extension: "jpg" },
  png: { mime: "image/png", extension: "png" },
  webp: { mime: "image/webp", extension: "webp" },
  heic: { mime: "image/heic", extension: "heic" },
  mp4: { mime: "video/mp4", extension: "mp4" },
  mov: { mime: "video/quicktime", extension: "mov" },
} as const;

export type FileType = keyof typeof fileTypes;

export const pictureTypes = ["jpeg", "png", "webp", "heic"] as const satisfies FileType[];
export const videoTypes = ["mp4", "mov"] as const satisfies FileType[];

/** A file that an operation takes, in a field of a form. */
export interface FileField<Kind extends "picture" | "video" = "picture" | "video"> {
  kind: Kind;
  takes: readonly FileType[];
  /** How large it may be. */
  bytes: number;
  required: boolean;
  description: string;
}

export type Files = Record<string, FileField>;

type Details = Pick<FileField, "bytes" | "description">;

export function picture(details: Details) {
  return { kind: "picture", takes: pictureTypes, required: false, ...details } as const;
}

export function video(details: Details) {
  return { kind: "video", takes: videoTypes, required: false, ...details } as const;
}

/** A file without which there is nothing to do. */
export function required<F extends FileField>(file: F): Omit<F, "required"> & { required: true } {
  return { ...file, required: true };
}

/** Of each kind of file, what stands for one: bytes on their way, or what became of them. */
export interface Kinds {
  picture: unknown;
  video: unknown;
}

/** What an operation takes as files, by field. */
export type FilesOf<O, K extends Kinds> = O extends { files: infer F extends Files }
  ? { [N in keyof F as F[N]["required"] extends true ? N : never]: K[F[N]["kind"]] } & {
      [N in keyof F as F[N]["required"] extends true ? never : N]?: K[F[N]["kind"]];
    }
  : never;
