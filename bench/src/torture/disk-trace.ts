import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** What a process asked of the disk, when it was done. Paths are absolute. */
export type DiskOperation = { at: number } & (
  | { kind: "create"; path: string; empty: boolean }
  /** Without `offset`: where the last write to this file ended. */
  | { kind: "write"; path: string; bytes: Buffer; offset: number | null }
  | { kind: "copy"; from: string; path: string }
  | { kind: "resize"; path: string; size: number }
  | { kind: "sync"; path: string }
  | { kind: "link" | "rename"; from: string; path: string }
  | { kind: "remove" | "mkdir"; path: string }
);
type What = DiskOperation extends infer One ? (One extends DiskOperation ? Omit<One, "at"> : never) : never;

const calls = [
  ..."open openat creat write pwrite64 writev pwritev pwritev2 ftruncate truncate fallocate fsync fdatasync".split(
    " ",
  ),
  ..."sync_file_range unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink".split(
    " ",
  ),
  ..."symlinkat copy_file_range sendfile".split(" "),
];

/** A command that runs what follows it and writes its calls to a file. The traced process is the command's own, not a child. */
export function traced(strace: string, file: string): string[] {
  const readable = ["-ttt", "-y", "-xx", "-s", "100000000"];
  return [strace, "-D", "-f", "--seccomp-bpf", ...readable, "-e", `trace=${calls.join()}`, "-o", file];
}

/**
 * The operations in a directory, in the order of their completion.
 * @throws if a call there isn't known, because what it did would be missing
 */
export async function readTrace(file: string, directory: string): Promise<DiskOperation[]> {
  const operations: DiskOperation[] = [];
  /** The beginnings of calls that another thread's call interrupted. */
  const unfinished = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, thread = "", time = "", call = ""] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? [];
    if (call.endsWith(" <unfinished ...>")) {
      unfinished.set(thread, call.slice(0, -" <unfinished ...>".length));
      continue;
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(call)?.[1];
    const whole = rest === undefined ? call : `${unfinished.get(thread) ?? ""}${rest}`;
    const parsed = /^(\w+)\((.*)\) += (-?\d+)/.exec(whole);
    if (!parsed) continue;
    const [, name = "", args = "", result = ""] = parsed;
    if (Number(result) < 0) continue;
    const paths = pathsIn(name, args, directory);
    if (!paths.some((path) => path.startsWith(`${directory}/`) || path === directory)) continue;
    const what = operationOf(name, args, paths, Number(result));
    if (what === undefined) throw new Error(`${name} isn't known: ${whole.slice(0, 200)}`);
    if (what) operations.push({ ...what, at: Number(time) * 1000 });
  }
  return operations;
}

const text = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex");
const HEX = String.raw`((?:\\x[0-9a-f]{2})*)`;

/** The files of a call: those that its descriptors are open for, or those it names. */
function pathsIn(name: string, args: string, directory: string): string[] {
  const byDescriptor =
    /^(p?writev?2?|pwrite64|ftruncate|fallocate|f(data)?sync|sync_file_range|copy_file_range|sendfile)$/;
  const pattern = byDescriptor.test(name) ? `\\d+<${HEX}>` : `(?:^|, )"${HEX}"`;
  // The bytes of a write can't look like a descriptor, but are long.
  const searched = /write/.test(name) ? args.slice(0, args.indexOf(">") + 1) : args;
  return [...searched.matchAll(new RegExp(pattern, "g"))].map(([, hex = ""]) =>
    resolve(directory, text(hex).toString()),
  );
}

/** Null if the call changes nothing, undefined if it isn't known. */
function operationOf(name: string, args: string, paths: string[], result: number): What | null | undefined {
  const [path = "", second = ""] = paths;
  const numbers = args.slice(args.lastIndexOf('"') + 1).match(/(?<=, )\d+/g) ?? [];
  switch (name) {
    case "open":
    case "openat":
      return args.includes("O_CREAT") || args.includes("O_TRUNC")
        ? { kind: "create", path, empty: args.includes("O_TRUNC") }
        : null;
    case "write":
    case "writev":
    case "pwrite64":
    case "pwritev": {
      const bytes = Buffer.concat(
        [...args.matchAll(new RegExp(`"${HEX}"`, "g"))].map(([, hex = ""]) => text(hex)),
      );
      const offset = name.startsWith("p") ? Number(numbers.at(-1)) : null;
      return { kind: "write", path, bytes: bytes.subarray(0, result), offset };
    }
    case "copy_file_range":
      return { kind: "copy", from: path, path: second };
    case "ftruncate":
      return { kind: "resize", path, size: Number(/, (\d+)$/.exec(args)?.[1]) };
    case "fsync":
    case "fdatasync":
      return { kind: "sync", path };
    case "rename":
    case "renameat":
    case "renameat2":
      return { kind: "rename", from: path, path: second };
    case "link":
    case "linkat":
      return { kind: "link", from: path, path: second };
    case "unlink":
    case "unlinkat":
    case "rmdir":
      return { kind: "remove", path };
    case "mkdir":
    case "mkdirat":
      return { kind: "mkdir", path };
    default:
      return undefined;
  }
}
