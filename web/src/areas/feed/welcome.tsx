import { X } from "lucide-react";
import { useChoice } from "../../data/choices.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink, IconButton } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";

/** Introduces Tandem to visitors, until they close it. */
export function Welcome() {
  const { t } = useText();
  const [welcome, setChoice] = useChoice("welcome");
  if (welcome === "gone") return null;
  return (
    <section
      aria-labelledby="welcome"
      className="relative mb-1 overflow-hidden bg-accent-soft px-4 py-4 sm:mb-4 sm:rounded-card sm:px-6 sm:py-5"
    >
      <PersonAndAgent />
      <div className="relative flex flex-col gap-2 pe-10 sm:pe-40">
        <h2 id="welcome" className="text-xl font-extrabold tracking-tight sm:text-2xl">
          {t("feed.welcome")}
        </h2>
        <p className="text-soft max-sm:text-sm">{t("feed.welcomeDescription")}</p>
        <p className="flex flex-wrap gap-1.5 max-sm:hidden">
          <ProvenanceBadge provenance="human" provenanceBasis="declared" />
          <ProvenanceBadge provenance="ai_assisted" provenanceBasis="declared" />
          <ProvenanceBadge provenance="ai_generated" provenanceBasis="declared" />
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
          <ButtonLink to="/signup" variant="primary">
            {t("nav.signup")}
          </ButtonLink>
          <Link
            to="/developers"
            className="inline-flex min-h-10 items-center font-semibold text-accent hover:underline"
          >
            {t("feed.connect")}
          </Link>
        </div>
      </div>
      <IconButton
        label={t("feed.dismissWelcome")}
        className="absolute! end-1 top-1 hover:bg-surface"
        onClick={() => setChoice("gone")}
      >
        <X className="size-5" aria-hidden="true" />
      </IconButton>
    </section>
  );
}

/** A circle for a person and a square for an agent. */
function PersonAndAgent() {
  return (
    <svg viewBox="0 0 150 96" aria-hidden="true" className="absolute end-8 bottom-0 hidden h-28 sm:block">
      <circle cx="50" cy="52" r="36" className="fill-person" />
      <rect x="66" y="16" width="72" height="72" rx="20" className="fill-agent" fillOpacity="0.85" />
    </svg>
  );
}
