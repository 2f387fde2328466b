import {
  type CheckedReceipt,
  checkReceipt,
  parseReceiptTarget,
  type ReceiptCheck,
  receiptChecks,
} from "@tandem/client/check-receipt";
import { TandemError } from "@tandem/client/tandem-error";
import type { Command, Terminal } from "./command.ts";
import { printable } from "./printable.ts";
import { Refusal, UsageError } from "./refusal.ts";

const descriptions: Record<ReceiptCheck, string> = {
  statement: "The service signed the receipt",
  version: "The receipt covers the version that is shown",
  text: "The text is the one in the log",
  media: "The picture, video or link is the one in the log",
  author: "The author, the operator of an agent, and who signed the request are those in the log",
  provenance: "The AI label is the one in the log",
  inclusion: "The entry is in the signed log",
  consistency: "The log still continues the state in the receipt",
};

export const verify: Command = {
  usage: "verify URL [--key VERIFIER_KEY]",
  description: [
    "Check the receipt of something that any Tandem server shows against it: the text, the picture or video, the author,",
    "the AI label, and the public log. URL is the address of a post, of a comment on its page, of a profile, community or live",
    "stream, or a product's link (/out/42). With --key, only what the key that you know signed counts. To check your own audit",
    "log, use `audit verify`.",
  ].join("\n"),
  async run(args, _open, terminal) {
    const { url, key } = argumentsIn(args);
    const target = parseReceiptTarget(url);
    if (!target)
      throw new UsageError(
        "URL must be the address of something that has a receipt, such as https://example.org/posts/42.",
      );
    const checked = await checkReceipt(target, key === undefined ? {} : { key }).catch(refuse);
    report(terminal, checked);
    if (key !== undefined && !checked.verifierKeys.includes(key))
      throw new Refusal(`The service has other keys: ${checked.verifierKeys.map(printable).join(", ")}.`);
    if (!checked.ok) throw new Refusal("The receipt doesn't match what the service shows.");
    terminal.out(
      checked.results.inclusion === "pending"
        ? "Nothing is wrong, but the entry isn't in the log yet. Try again in a minute."
        : "Everything matches.",
    );
  },
};

function argumentsIn(args: string[]): { url: string; key: string | undefined } {
  const [url, flag, key, ...more] = args;
  const isComplete = flag === undefined || (flag === "--key" && key !== undefined && more.length === 0);
  if (url === undefined || !isComplete) throw new UsageError("Expected a URL.");
  return { url, key };
}

/** Errors of the service and of the connection are no reason for a stack trace. */
function refuse(error: unknown): never {
  if (error instanceof TandemError) throw new Refusal(printable(`${error.message} (${error.code})`));
  throw new Refusal(printable(error instanceof Error ? error.message : String(error)));
}

function report({ out }: Terminal, checked: CheckedReceipt): void {
  const { results, entry, served, checkpoint, verifierKeys } = checked;
  for (const check of receiptChecks) out(`${results[check].padEnd(8)} ${descriptions[check]}`);
  if (entry) out(printable(`Entry: ${entry.kind} ${entry.id}, version ${entry.version}, ${entry.time}`));
  if (entry && served.version !== null && entry.version !== served.version)
    out(`Shown: version ${served.version}`);
  if (checked.receipt.signer && results.author === "passed")
    out(printable(`Request signed by a key of: ${checked.receipt.signer}`));
  if (checkpoint) out(printable(`Log: ${checkpoint.origin}, ${checkpoint.size} entries`));
  if (verifierKeys[0]) out(printable(`Key: ${verifierKeys[0]}`));
}
