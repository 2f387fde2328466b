import type { SitePageName } from "@tandem/contract/site-pages";
import { useSuspenseQuery } from "@tanstack/react-query";
import { sitePageQuery } from "../../data/site-pages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { UserText } from "../../posts/user-text.tsx";
import { useApi } from "../../shared/context.ts";
import { NotFound, type PageRequest, page } from "../../shared/page.ts";
import { Time } from "../../ui/time.tsx";
import { ProsePage } from "./prose.tsx";

/** A page of the app with a text by the operator. */
export function sitePage(name: SitePageName) {
  return page({
    load: async ({ api, queryClient }: PageRequest) => {
      if ((await queryClient.ensureQueryData(sitePageQuery(api, name))) === null) throw new NotFound();
    },
    head: ({ i18n }) => ({ canonical: `/${name}`, title: i18n._(`site.${name}`) }),
    View: () => <SitePageView name={name} />,
  });
}

function SitePageView({ name }: { name: SitePageName }) {
  const { t } = useText();
  const { data: page } = useSuspenseQuery(sitePageQuery(useApi(), name));
  if (!page) return null;
  return (
    <ProsePage title={t(`site.${name}`)}>
      <UserText text={page.body} />
      <p className="border-t pt-6 text-sm text-soft">
        {t("public.updated")} <Time at={page.updatedAt} />
      </p>
    </ProsePage>
  );
}
