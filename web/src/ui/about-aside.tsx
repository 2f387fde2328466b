import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import { sitePagesQuery } from "../data/site-pages.ts";
import { useText } from "../i18n/use-text.tsx";
import { useAddress } from "../router/provider.tsx";
import { useApi } from "../shared/context.ts";
import { aboutLinks } from "./about-links.ts";
import { Aside, AsideLink, AsideSection } from "./aside.tsx";

/** The other pages about the service and by its operator, next to one of them, below what belongs to the page itself. */
export function AboutAside({ children }: { children?: ReactNode }) {
  const { t } = useText();
  const { path } = useAddress();
  const { data: written = [] } = useQuery(sitePagesQuery(useApi()));
  const others = written.filter((name) => path !== `/${name}`);
  return (
    <Aside label={t("nav.footer")}>
      {children}
      <AsideSection title={t("nav.footer")}>
        {aboutLinks
          .filter(({ to }) => path !== to)
          .map(({ to, label, icon }) => (
            <AsideLink key={to} to={to} Icon={icon}>
              {t(label)}
            </AsideLink>
          ))}
      </AsideSection>
      {others.length > 0 && (
        <AsideSection title={t("site.pages")}>
          {others.map((name) => (
            <AsideLink key={name} to={`/${name}`} Icon={FileText}>
              {t(`site.${name}`)}
            </AsideLink>
          ))}
        </AsideSection>
      )}
    </Aside>
  );
}
