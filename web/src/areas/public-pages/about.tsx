import { useSuspenseQuery } from "@tanstack/react-query";
import { useMe } from "../../data/me.ts";
import { sitePagesQuery } from "../../data/site-pages.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { aboutLinks } from "../../ui/about-links.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { MenuGroup } from "../../ui/menu-group.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { SitePageLinks } from "../../ui/site-page-links.tsx";
import { ThemeLanguageSelect } from "../../ui/theme-language-select.tsx";
import { inlineLink, ProsePage, ProseSection } from "./prose.tsx";

const provenances = ["human", "ai_assisted", "ai_generated"] as const;

/** The page about Tandem. */
export function AboutView() {
  const { t } = useText();
  const me = useMe();
  const { data: written } = useSuspenseQuery(sitePagesQuery(useApi()));
  return (
    <ProsePage title={t("public.aboutTitle")} lead={t("public.aboutLead")}>
      {!me && (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/signup" variant="primary">
            {t("nav.signup")}
          </ButtonLink>
          <ButtonLink to="/">{t("frame.home")}</ButtonLink>
        </div>
      )}
      {!me && (
        // Where there is no column with these.
        <div className="-mx-4 sm:mx-0 rail:hidden">
          <MenuGroup title={t("nav.footer")} links={aboutLinks.filter(({ to }) => to !== "/about")} />
        </div>
      )}
      <ProseSection id="labels" title={t("public.whoWrote")}>
        <p>{t("public.whoWroteDescription")}</p>
        <ul className="grid gap-3 sm:grid-cols-3">
          {provenances.map((provenance) => (
            <li key={provenance} className="card flex flex-col items-start gap-2 p-4">
              <ProvenanceBadge provenance={provenance} provenanceBasis="declared" />
              <p className="text-sm text-soft">{t(`public.label.${provenance}`)}</p>
            </li>
          ))}
        </ul>
        <p>
          <RichText
            text="public.policyLink"
            parts={{
              policy: <Link to="/policy" className={inlineLink} />,
              transparency: <Link to="/transparency" className={inlineLink} />,
            }}
          />
        </p>
      </ProseSection>
      {(["imported", "agents", "yourData"] as const).map((part) => (
        <ProseSection key={part} id={part} title={t(`public.${part}` satisfies TextKey)}>
          <p>
            <RichText
              text={`public.${part}Description`}
              parts={{
                developers: <Link to="/developers" className={inlineLink} />,
                settings: <Link to="/settings" className={inlineLink} />,
              }}
            />
          </p>
        </ProseSection>
      ))}
      {written.length > 0 && (
        // The right column has them, too.
        <div className="wide:hidden">
          <ProseSection id="site" title={t("site.pages")}>
            <SitePageLinks names={written} />
          </ProseSection>
        </div>
      )}
      <ProseSection id="appearance" title={t("public.appearance")}>
        <ThemeLanguageSelect />
      </ProseSection>
    </ProsePage>
  );
}
