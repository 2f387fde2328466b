import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { programOf } from "@tandem/testing/programs";

/** The directory of Wapiti's lists, as Debian installs them. */
async function lists(): Promise<string> {
  await programOf("wapiti");
  return "/usr/lib/python3/dist-packages/wapitiCore/data/attacks";
}

/** Files that services leave lying around, with what Tandem has on its disk. */
const ours = [
  ...[
    ".env",
    ".git/config",
    ".git/HEAD",
    "package.json",
    "package-lock.json",
    "node_modules/",
    "data/",
    "Dockerfile",
  ],
  ...[
    "tandem.db",
    "tandem.db-wal",
    "data/tandem.db",
    "secrets.key",
    "data/secrets.key",
    "metrics",
    "debug",
    "status",
  ],
  ...[
    "server/src/main.ts",
    "server/dist/main.js",
    "server/dist/main.js.map",
    "media/",
    "media/..",
    "exports/",
  ],
  ...["..%2f..%2f..%2fetc%2fpasswd", "assets/..%2f..%2fpackage.json", "assets/%2e%2e/%2e%2e/package.json"],
  ...[
    "%00",
    "api/",
    "api/admin",
    "api/internal",
    "graphql",
    "swagger",
    "swagger-ui",
    ".well-known/",
    "server-status",
  ],
];

/** Paths to look for. */
export async function hiddenPaths(): Promise<string[]> {
  const text = await readFile(join(await lists(), "busterPayloads.txt"), "latin1");
  const words = text.split("\n").map((word) => word.trim().replace(/^\//, ""));
  return [...new Set([...ours, ...words.map(encodeURI)])].filter((word) => word !== "");
}

/** Values that broke other services: Wapiti's payloads, and a few classics. */
export async function payloads(): Promise<string[]> {
  const directory = await lists();
  const names = (await readdir(directory)).filter((name) =>
    /^(exec|blindSQL).*\.txt$|^(xss|fileHandling).*\.ini$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "latin1")));
  const found = texts
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replace(/^payload\s*=\s*/, "").trim())
    .filter((line) => line.length > 3 && !/^[#[;]|^\w+\s*=\s/.test(line));
  return [...new Set([...classics, ...every(found, 60)])];
}

const classics = [
  ...[
    "'",
    '"',
    "';--",
    "' OR '1'='1",
    "1 OR 1=1",
    "1; DROP TABLE posts",
    "%",
    "_",
    "\\",
    "#{7*7}",
    "{{7*7}}",
  ],
  ...[
    "../../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd",
    "file:///etc/passwd",
    "|id",
    "$(id)",
  ],
  ...[
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "\u0000",
    "\ud83d\ude00".repeat(300),
    "A".repeat(5000),
  ],
  ...["a\r\nSet-Cookie: x=1", "http://169.254.169.254/latest/meta-data/", "http://[::1]/", "9".repeat(400)],
  ...[
    "NaN",
    "-1",
    "1e309",
    "0x7fffffff",
    "2147483648",
    "9223372036854775808",
    "9007199254740993",
    "__proto__",
  ],
  ...[
    "constructor",
    "toString",
    "\u202e\u200b",
    "()",
    "(".repeat(200),
    '"'.repeat(200),
    "*",
    "NEAR(a b)",
    "a AND",
  ],
];

/** So many of a list, evenly spread. */
function every(list: string[], count: number): string[] {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, i) => i % step === 0);
}
