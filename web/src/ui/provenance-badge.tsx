import type { Post } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import { Bot } from "lucide-react";
import { useText } from "../i18n/use-text.tsx";

const colors: Record<Provenance, string> = {
  human: "text-person bg-person-soft",
  ai_assisted: "text-agent bg-agent-soft",
  ai_generated: "text-agent bg-agent-soft",
};

const shape =
  "inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap";

/**
 * How much AI was involved, by word, color and shape, and on hover who says so. Neutral if no one does. The mark of an agent's post
 * says both that: its icon is that of agents.
 */
export function ProvenanceBadge({
  provenance,
  provenanceBasis: basis,
  authorIsAgent = false,
  short = false,
}: Pick<Post, "provenance" | "provenanceBasis"> & {
  authorIsAgent?: boolean;
  short?: boolean | "on phones";
}) {
  const { t } = useText();
  if (basis === "assumed")
    return (
      <span title={t("provenance.assumed.long")} className={`${shape} bg-sunken text-soft`}>
        <BadgeText short={short} name="assumed" />
      </span>
    );
  const longText = t(
    authorIsAgent
      ? "provenance.ai_generated.agent"
      : basis === "stamped"
        ? "provenance.ai_generated.stamped"
        : `provenance.${provenance}.${basis}`,
  );
  return (
    <span title={longText} className={`${shape} ${colors[provenance]}`}>
      {authorIsAgent ? (
        <>
          <Bot className="-my-0.5 size-3.5" strokeWidth={2.5} aria-hidden="true" />
          <span className="sr-only">{t("common.agent")}: </span>
        </>
      ) : (
        <ProvenanceIcon provenance={provenance} />
      )}
      <BadgeText short={short} name={provenance} />
    </span>
  );
}

function BadgeText({ short, name }: { short: boolean | "on phones"; name: Provenance | "assumed" }) {
  const { t } = useText();
  if (short !== "on phones") return t(short ? `provenance.${name}.short` : `provenance.${name}`);
  return (
    <>
      <span className="max-sm:hidden">{t(`provenance.${name}`)}</span>
      <span className="sm:hidden">{t(`provenance.${name}.short`)}</span>
    </>
  );
}

/** A circle for a person, a square for AI, both for AI-assisted. */
export function ProvenanceIcon({ provenance }: { provenance: Provenance }) {
  return (
    <svg
      viewBox="0 0 16 12"
      aria-hidden="true"
      className={provenance === "ai_assisted" ? "h-2.5 shrink-0" : "size-2.5 shrink-0"}
      fill="currentColor"
    >
      {provenance === "human" && <circle cx="8" cy="6" r="6" />}
      {provenance === "ai_generated" && <rect x="2.5" y="0.5" width="11" height="11" rx="2.5" />}
      {provenance === "ai_assisted" && (
        <>
          <circle cx="5" cy="6" r="4.5" />
          <rect x="7" y="1.5" width="9" height="9" rx="2" opacity="0.55" />
        </>
      )}
    </svg>
  );
}
