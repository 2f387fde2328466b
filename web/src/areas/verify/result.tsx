import type { CheckedReceipt, CheckResult, ReceiptCheck, ReceiptTarget } from "@tandem/client/check-receipt";
import { Check, Clock, Minus, ShieldAlert, ShieldCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { communityAddress, creatorAddress, liveAddress, postAddress } from "../../shared/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";

const icons = { passed: Check, failed: X, pending: Clock, skipped: Minus };

const colors: Record<CheckResult, string> = {
  passed: "text-accent",
  failed: "text-danger",
  pending: "text-soft",
  skipped: "text-soft",
};

/** The page that shows what was checked. */
function pageOf(target: ReceiptTarget): { to: string; hash?: string } {
  if (!("kind" in target)) {
    const { postId, commentId } = target;
    return { to: postAddress(postId), ...(commentId !== null && { hash: `comment-${commentId}` }) };
  }
  const { kind, name } = target;
  if (kind === "profile") return { to: creatorAddress({ platform: "native", author: name }) };
  if (kind === "live") return { to: liveAddress(name) };
  return { to: kind === "community" ? communityAddress(name) : "/shop" };
}

/** The outcome, each check, and what the receipt and the log contain. */
export function Result({
  checked,
  isFetching,
  onRetry,
}: {
  checked: CheckedReceipt & { target: ReceiptTarget };
  isFetching: boolean;
  onRetry(): void;
}) {
  const { t } = useText();
  const { ok, results, entry, served, target } = checked;
  const isPending = results.inclusion === "pending";
  const Icon = ok ? (isPending ? Clock : ShieldCheck) : ShieldAlert;
  const outcome = ok ? (isPending ? "pending" : "passed") : "failed";
  return (
    <section className="card flex flex-col gap-4 p-4 sm:p-5" aria-labelledby="outcome">
      <header className="flex items-start gap-3">
        <Icon className={`mt-0.5 size-7 shrink-0 ${colors[outcome]}`} aria-hidden="true" />
        <div className="flex min-w-0 flex-col gap-1" role="status">
          <h2 id="outcome" className="text-lg font-bold">
            {t(`verify.outcome.${outcome}`)}
          </h2>
          <p className="text-soft">{t(`verify.outcome.${outcome}Description`)}</p>
        </div>
      </header>
      <ul className="flex flex-col gap-2.5">
        {(Object.keys(results) as ReceiptCheck[]).map((check) => (
          <CheckItem key={check} check={check} result={results[check]} />
        ))}
      </ul>
      {entry && (
        <p className="text-sm text-soft">
          {served.version === null || entry.version === served.version
            ? t("verify.version", { version: entry.version })
            : t("verify.otherVersion", { version: entry.version, shown: served.version })}{" "}
          · <Time at={entry.time} /> ·{" "}
          <Link {...pageOf(target)} className="font-semibold text-accent underline">
            {t("verify.open")}
          </Link>
        </p>
      )}
      {checked.receipt.signer && results.author === "passed" && (
        <p className="text-sm wrap-anywhere text-soft">
          {t("verify.signer", { signer: checked.receipt.signer })}
        </p>
      )}
      {isPending && (
        <Button className="self-start" busy={isFetching} onClick={onRetry}>
          {t("verify.retry")}
        </Button>
      )}
      <Details checked={checked} />
    </section>
  );
}

function CheckItem({ check, result }: { check: ReceiptCheck; result: CheckResult }) {
  const { t } = useText();
  const Icon = icons[result];
  return (
    <li className="flex items-start gap-3">
      <Icon className={`mt-0.5 size-5 shrink-0 ${colors[result]}`} aria-hidden="true" />
      <span className={result === "failed" ? "font-semibold text-danger" : ""}>
        {t(`verify.check.${check}`)}{" "}
        <span className={result === "passed" ? "sr-only" : "text-soft"}>
          ({t(`verify.result.${result}`)})
        </span>
      </span>
    </li>
  );
}

function Details({ checked: { receipt, checkpoint, verifierKeys } }: { checked: CheckedReceipt }) {
  const { t } = useText();
  return (
    <details className="border-t pt-3">
      <summary className="cursor-pointer py-1 font-semibold">{t("verify.details")}</summary>
      <dl className="mt-3 flex flex-col gap-4 text-sm">
        <Detail title={t("verify.entry")}>{indented(receipt.entry)}</Detail>
        {receipt.proof && checkpoint && (
          <>
            <Detail title={t("verify.place")}>
              {t("verify.placeOf", { index: receipt.proof.index, size: checkpoint.size })}
            </Detail>
            <Detail title={t("verify.checkpoint")}>{receipt.proof.checkpoint}</Detail>
          </>
        )}
        <Detail title={t("verify.key")}>{verifierKeys[0]}</Detail>
      </dl>
    </details>
  );
}

function Detail({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="font-semibold">{title}</dt>
      <dd className="rounded-lg bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}

/** The entry is JSON, but a wrong one may not be. */
function indented(entry: string): string {
  try {
    return JSON.stringify(JSON.parse(entry), null, 2);
  } catch {
    return entry;
  }
}
