import { limits } from "@tandem/contract/limits";
import type { Source } from "@tandem/contract/sources";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { adminKey, sourcesQuery } from "../../data/admin.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage } from "./layout.tsx";
import { Opml } from "./opml.tsx";
import { SourceActions, SourceState } from "./source-actions.tsx";

/** The sources of imported posts. */
export function SourcesPage() {
  const { t } = useText();
  const list = useInfiniteQuery(sourcesQuery(useApi()));
  const sources = list.data?.pages.flatMap((page) => page.sources) ?? [];
  return (
    <AdminPage section="sources">
      <AddSource />
      <Opml />
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && sources.length === 0 && (
        <div className="card">
          <EmptyState title={t("admin.noSources")}>{t("admin.noSourcesDescription")}</EmptyState>
        </div>
      )}
      <ul className="flex flex-col gap-3">
        {sources.map((source) => (
          <SourceCard key={source.id} source={source} />
        ))}
      </ul>
      <LoadMore list={list} />
    </AdminPage>
  );
}

function AddSource() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [url, setUrl] = useState("");
  const add = useAction((api) => api.addSource({ url }), {
    inlineErrors: true,
    onSuccess: ({ source }) => {
      setUrl("");
      void queryClient.invalidateQueries({ queryKey: adminKey });
      show(t("admin.sourceAdded", { name: source.name }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form
      onSubmit={submit}
      className="card mb-4 flex flex-wrap items-start gap-3 p-4 max-sm:rounded-none max-sm:border-x-0"
    >
      <Field
        label={t("admin.sourceUrl")}
        hint={t("admin.sourceHint")}
        error={add.error && errorMessage(add.error, t)}
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        required
        maxLength={limits.url}
        className="min-w-60 flex-1"
      />
      <Button type="submit" variant="primary" busy={add.isPending} className="min-h-11 sm:mt-6">
        {t("admin.sourceAdd")}
      </Button>
    </form>
  );
}

function SourceCard({ source }: { source: Source }) {
  const { t } = useText();
  const { id, name, platform, url, lastError, polledAt, newestAt } = source;
  return (
    <li className="card flex flex-col gap-2 p-4 max-sm:rounded-none max-sm:border-x-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Link to={`/admin/sources/${id}`} className="theirs font-semibold hover:underline">
          {name}
        </Link>
        <span className="text-sm text-soft">{t(`platform.${platform}`)}</span>
        <SourceState source={source} />
      </div>
      {url && <p className="theirs text-sm text-soft">{url}</p>}
      <p className="text-sm text-soft">
        {polledAt ? (
          <>
            {t("admin.lastFetched")} <Time at={polledAt} />
          </>
        ) : (
          t("admin.neverFetched")
        )}
        {newestAt && (
          <>
            {" · "}
            {t("admin.newest")} <Time at={newestAt} />
          </>
        )}
      </p>
      {lastError && <p className="theirs text-sm text-danger">{lastError}</p>}
      <SourceActions source={source} />
    </li>
  );
}
