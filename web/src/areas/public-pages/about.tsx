import { useMe } from "../../data/me.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { ThemeLanguageSelect } from "../../ui/theme-language-select.tsx";
import { inlineLink, ProsePage, ProseSection } from "./prose.tsx";

const marks = ["human", "ai_assisted", "ai_generated"] as const;

/** The page about Tandem. */
export function AboutView() {
  const { t } = useText();
  const me = useMe();
  return (
    <ProsePage title={t("front.aboutTitle")} lead={t("front.aboutLead")}>
      {!me && (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/signup" variant="primary">
            {t("nav.signup")}
          </ButtonLink>
          <ButtonLink to="/">{t("frame.home")}</ButtonLink>
        </div>
      )}
      <ProseSection id="marks" title={t("front.whoWrote")}>
        <p>{t("front.whoWroteSays")}</p>
        <ul className="grid gap-3 sm:grid-cols-3">
          {marks.map((mark) => (
            <li key={mark} className="card flex flex-col items-start gap-2 p-4">
              <ProvenanceBadge provenance={mark} provenanceBasis="declared" />
              <p className="text-sm text-soft">{t(`front.mark.${mark}`)}</p>
            </li>
          ))}
        </ul>
        <p>
          <RichText text="front.toPolicy" parts={{ policy: <Link to="/policy" className={inlineLink} /> }} />
        </p>
      </ProseSection>
      {(["gathered", "agents", "yours"] as const).map((part) => (
        <ProseSection key={part} id={part} title={t(`front.${part}` satisfies TextKey)}>
          <p>
            <RichText
              text={`front.${part}Says`}
              parts={{
                developers: <Link to="/developers" className={inlineLink} />,
                settings: <Link to="/settings" className={inlineLink} />,
              }}
            />
          </p>
        </ProseSection>
      ))}
      <ProseSection id="looks" title={t("front.looks")}>
        <ThemeLanguageSelect />
      </ProseSection>
    </ProsePage>
  );
}
