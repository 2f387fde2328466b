import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Finds words that plain English doesn't need, and says what to write instead. Part of `npm run lint`. */

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Words that plain English doesn't need, and what to write instead. */
const instead: Record<string, string> = {
  somebody: "someone",
  anybody: "anyone",
  anew: "again",
  "one's own": "your own, the caller's",
  lest: "so that … not",
  "hears of": "is notified of",
  "tells of": "reports, describes",
  whomever: "anyone",
  "for good": "permanently",
  "fault of ours": "internal error",
  heed: "respect, follow",
  heeds: "respects, follows",
  hears: "is notified of, receives",
  judged: "checked, validated",
  judging: "checking, validating",
  "let go of": "released",
  "lets go": "releases",
  "no good": "invalid",
  "of ours": "our",
  "of yours": "your",
  oftener: "more often",
  "to the unit": "exactly",
  unfit: "invalid",
  whoever: "anyone who, the person who",
  whosever: "anyone's",
};

/** Generated files, other people's words, and this list. */
const exempt = /^testing\/src\/wording\.ts$|package-lock|\/fixtures\/|\.jsonl$|\.de\.json$/;

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.md", "*.json"], {
  cwd: root,
  encoding: "utf8",
}).split("\n");
const words = new RegExp(`(?<![\\w-])(?:${Object.keys(instead).join("|")})(?![\\w-])`, "gi");
for (const path of files) {
  // Git lists deleted files until the deletion is staged.
  if (path === "" || exempt.test(path) || !existsSync(join(root, path))) continue;
  for (const [word] of readFileSync(join(root, path), "utf8").matchAll(words)) {
    console.error(`${path}: ${word} → ${instead[word.toLowerCase()]}`);
    process.exitCode = 1;
  }
}
