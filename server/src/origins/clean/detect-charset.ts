import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The bytes that are looked at, from the first that isn't ASCII. */
const SAMPLE = 65_536;

/** What chardetng exports, according to its glue code, which only bundlers and experimental features of Node load. */
interface Chardetng {
  memory: { buffer: ArrayBuffer };
  encodingdetector_new(): number;
  encodingdetector_feed(detector: number, bytes: number, length: number, isLast: number): number;
  encodingdetector_guess(
    result: number,
    detector: number,
    tld: number,
    length: number,
    allowUtf8: number,
  ): void;
  __wbg_encodingdetector_free(detector: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  __wbindgen_malloc(length: number): number;
  __wbindgen_free(pointer: number, length: number): void;
}

/** Loaded on first use. */
let loaded: Chardetng | undefined;

/** The name of the charset in which bytes most likely are, as Firefox guesses it. Never UTF-8. */
export function detectCharset(bytes: Buffer): string {
  const start = bytes.findIndex((byte) => byte > 0x7f || byte === ESCAPE);
  if (start < 0) return "utf-8";
  loaded ??= load();
  const sample = bytes.subarray(start, start + SAMPLE);
  const detector = loaded.encodingdetector_new();
  // The detector frees the bytes.
  const pointer = loaded.__wbindgen_malloc(sample.length);
  new Uint8Array(loaded.memory.buffer).set(sample, pointer);
  loaded.encodingdetector_feed(detector, pointer, sample.length, Number(start + SAMPLE >= bytes.length));
  const name = guessOf(loaded, detector);
  loaded.__wbg_encodingdetector_free(detector);
  return name;
}

/** Begins the sequences that switch charsets in ISO-2022-JP. */
const ESCAPE = 0x1b;

function guessOf(from: Chardetng, detector: number): string {
  const result = from.__wbindgen_add_to_stack_pointer(-16);
  from.encodingdetector_guess(result, detector, 0, 0, 0);
  const [pointer = 0, length = 0] = new Int32Array(from.memory.buffer, result, 2);
  const name = Buffer.from(from.memory.buffer, pointer, length).toString("latin1");
  from.__wbindgen_free(pointer, length);
  from.__wbindgen_add_to_stack_pointer(16);
  return name;
}

function load(): Chardetng {
  const path = createRequire(import.meta.url).resolve("chardetng-wasm/dist/chardetng_wasm_bg.wasm");
  const fail = () => {
    throw new Error("chardetng failed.");
  };
  const imports = { "./chardetng_wasm_bg.js": { __wbindgen_throw: fail } };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), imports);
  // WebAssembly's exports have no types.
  return instance.exports as unknown as Chardetng;
}
