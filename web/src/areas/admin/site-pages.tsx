import { limits } from "@tandem/contract/limits";
import type { SitePageName } from "@tandem/contract/site-pages";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
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
import { sitePageNames } from "./site-pages.plain.ts";

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
  const { queryKey } = sitePageQuery(useApi(), name);
  const draft = useStoredDraft(`site-page.${name}`, { body: saved });
  const { body } = draft.value;
  const isBlank = body.trim() === "";
  const isSaved = body.trim() === saved.trim();
  const save = useAction(
    async (api) => {
      if (!isBlank) return (await api.saveSitePage({ name, body })).page;
      await api.removeSitePage({ name });
      return null;
    },
    {
      inlineErrors: true,
      onSuccess: (page) => {
        queryClient.setQueryData(queryKey, page);
        void queryClient.invalidateQueries({ queryKey: sitePagesKey, exact: true });
        draft.clear();
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="card-flush flex flex-col gap-3 p-4">
      <TextArea
        label={t(`site.${name}`)}
        hint={t(`admin.pageHint.${name}`)}
        error={save.error && errorMessage(save.error, t)}
        value={body}
        onChange={(event) => draft.change({ body: event.target.value })}
        maxLength={limits.sitePage}
        rows={saved === "" ? 4 : 10}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={isSaved}>
          {isBlank && saved !== "" ? t("admin.removePage") : t("common.save")}
        </Button>
        {saved !== "" && (
          <Link
            to={`/${name}`}
            className="min-h-6 content-center text-sm font-semibold text-accent underline underline-offset-4"
          >
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
