import { limits } from "@tandem/contract/limits";
import { type SitePageName, sitePageNames } from "@tandem/contract/site-pages";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorMessage } from "../../data/error-messages.ts";
import { sitePageQuery, sitePagesKey } from "../../data/site-pages.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { AdminPage } from "./layout.tsx";

/** The pages that the operator writes. */
export function SitePagesPage() {
  return (
    <AdminPage section="pages">
      <div className="flex flex-col gap-4">
        {sitePageNames.map((name) => (
          <SitePageEditor key={name} name={name} />
        ))}
      </div>
    </AdminPage>
  );
}

function SitePageEditor({ name }: { name: SitePageName }) {
  const { data: page } = useQuery(sitePageQuery(useApi(), name));
  if (page === undefined) return <SkeletonCards count={1} />;
  return <SitePageForm name={name} saved={page?.body ?? ""} />;
}

function SitePageForm({ name, saved }: { name: SitePageName; saved: string }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [body, setBody] = useState(saved);
  const isBlank = body.trim() === "";
  const save = useAction(
    async (api) => {
      if (!isBlank) await api.saveSitePage({ name, body });
      else if (saved !== "") await api.removeSitePage({ name });
    },
    {
      inlineErrors: true,
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: sitePagesKey }),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const isSaved = body === saved;
  return (
    <form onSubmit={submit} className="card flex flex-col gap-3 p-4 max-sm:rounded-none max-sm:border-x-0">
      <TextArea
        label={t(`site.${name}`)}
        hint={t(`admin.pageHint.${name}`)}
        error={save.error && errorMessage(save.error, t)}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        maxLength={limits.sitePage}
        rows={saved === "" ? 4 : 10}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={isSaved}>
          {isBlank && saved !== "" ? t("admin.removePage") : t("common.save")}
        </Button>
        {saved !== "" && (
          <Link to={`/${name}`} className="text-sm font-semibold text-accent underline underline-offset-4">
            {t("admin.viewPage")}
          </Link>
        )}
        <span role="status" className="text-sm text-soft">
          {save.isSuccess && isSaved && t("admin.pageSaved")}
        </span>
      </div>
    </form>
  );
}
