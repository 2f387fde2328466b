import { documents } from "@tandem/contract/documents";
import { limits } from "@tandem/contract/limits";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { inlineLink, ProsePage, ProseSection } from "./prose.tsx";

const provenances = ["human", "ai_assisted", "ai_generated"] as const;
const parts = ["responsibility", "allowed", "forbidden", "control", "conduct"] as const;
const sections = ["labels", ...parts] as const;

/** The rules for AI in plain language. The complete policy is a separate document. */
export function PolicyView() {
  const { t } = useText();
  return (
    <ProsePage
      title={t("public.policyTitle")}
      lead={t("public.policyLead")}
      sections={sections.map((id) => ({ id, title: t(`public.policy.${id}`) }))}
    >
      <ProseSection id="labels" title={t("public.policy.labels")}>
        <ul className="flex flex-col gap-3">
          {provenances.map((provenance) => (
            <li
              key={provenance}
              className="flex flex-col items-start gap-1 sm:flex-row sm:items-baseline sm:gap-3"
            >
              <span className="shrink-0 sm:w-32">
                <ProvenanceBadge provenance={provenance} provenanceBasis="declared" />
              </span>
              <span>{t(`public.policy.${provenance}`)}</span>
            </li>
          ))}
        </ul>
        <p>{t("public.policy.labelsDescription")}</p>
      </ProseSection>
      {parts.map((part) => (
        <ProseSection key={part} id={part} title={t(`public.policy.${part}`)}>
          <p>
            <RichText
              text={`public.policy.${part}Description`}
              values={{ agents: limits.agentsPerPerson }}
              parts={{
                settings: <Link to="/settings/content" className={inlineLink} />,
                standing: <Link to="/standing" className={inlineLink} />,
              }}
            />
          </p>
        </ProseSection>
      ))}
      <p className="border-t pt-6 text-soft">
        <RichText
          text="public.policy.full"
          parts={{
            whole: (
              // A document of the server, not a page of the app.
              <a href={documents.policy} className={inlineLink}>
                {" "}
              </a>
            ),
          }}
        />
      </p>
    </ProsePage>
  );
}
