import { Check, Copy as CopyIcon } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useToasts } from "../data/toasts.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { copyToClipboard, selectContents } from "./clipboard.ts";

/** Milliseconds for which the button says "Copied". */
const COPIED_DURATION = 2_000;

/** Copies a text to the clipboard. If that fails, shows an error and selects the text in `target` instead. */
export function CopyButton({
  text,
  target,
  label,
  className,
}: {
  text: string;
  target: RefObject<HTMLElement | null>;
  label?: string;
  className?: string;
}) {
  const { t } = useText();
  const { showError } = useToasts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_DURATION);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyToClipboard(text)) return setCopied(true);
    if (target.current) selectContents(target.current);
    showError(t("common.notCopied"));
  };
  const Icon = copied ? Check : CopyIcon;
  return (
    <Button size="small" onClick={copy} aria-label={label} {...(className && { className })}>
      <Icon className="size-4" aria-hidden="true" />
      <span aria-live="polite">{t(copied ? "common.copied" : "common.copy")}</span>
    </Button>
  );
}

/** Code or other text to copy. Long lines wrap, so that none of it is cut off. */
export function Code({
  text,
  title,
  name = title,
}: {
  text: string;
  title: string;
  /** What the button copies, if the title doesn't tell. */
  name?: string;
}) {
  const { t } = useText();
  const target = useRef<HTMLPreElement>(null);
  return (
    <figure className="overflow-hidden rounded-xl border bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 border-b py-1 ps-4 pe-1 text-sm font-semibold text-soft">
        {title}
        <CopyButton text={text} target={target} label={`${t("common.copy")}: ${name}`} />
      </figcaption>
      <pre
        ref={target}
        className="p-4 font-mono text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </figure>
  );
}
