import { BadgeCheck } from "lucide-react";
import { useText } from "../i18n/use-text.tsx";
import { useRelativeTime } from "./time.tsx";

/** The mark of a link that was found to point back to the profile at this time. */
export function VerifiedTick({ at, hasText = false }: { at: string; hasText?: boolean }) {
  const { t } = useText();
  const text = t("common.linkVerified", { time: useRelativeTime(at, "long") });
  return (
    <span className="inline-flex items-center gap-1 text-accent" title={hasText ? undefined : text}>
      <BadgeCheck className="size-4 shrink-0" aria-hidden="true" />
      <span className={hasText ? "" : "sr-only"}>{text}</span>
    </span>
  );
}
