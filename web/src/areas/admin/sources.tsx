import { limits } from "@tandem/contract/limits";
import type { Source } from "@tandem/contract/sources";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { adminKey, sourcesQuery } from "../../data/admin.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import type { AddressValues } from "../../shared/page.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage, Filter } from "./layout.tsx";
import { Opml } from "./opml.tsx";
import { SourceState } from "./source-actions.tsx";

/** The sources of imported posts. */
export function SourcesPage() {
  const { t } = useText();
  const search = useSearch();
  const isFiltered = search.q !== undefined || search.state !== undefined;
  const list = useInfiniteQuery(sourcesQuery(useApi(), search));
  const sources = list.data?.pages.flatMap((page) => page.sources) ?? [];
  return (
    <AdminPage section="sources">
      <AddSource />
      <Opml />
      <SourceFilters search={search} />
      {list.isPending && <SkeletonCards />}
      {list.isSuccess &&
        sources.length === 0 &&
        (isFiltered ? (
          <EmptyState drawing="search" title={t("admin.noSourcesFound")} />
        ) : (
          <EmptyState drawing="sources" title={t("admin.noSources")}>
            {t("admin.noSourcesDescription")}
          </EmptyState>
        ))}
      {sources.length > 0 && <SourceTable sources={sources} />}
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
    <form onSubmit={submit} className="card-flush mb-4 flex flex-wrap items-start gap-3 p-4">
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
      <Button type="submit" variant="primary" busy={add.isPending} className="mt-6 min-h-11">
        {t("admin.sourceAdd")}
      </Button>
    </form>
  );
}

/** One source a row. On a phone, the state is below the name, and the times are missing. */
function SourceTable({ sources }: { sources: readonly Source[] }) {
  const { t } = useText();
  const heading = "py-2 pe-3 font-semibold whitespace-nowrap";
  return (
    <div className="card-flush overflow-hidden">
      <table className="w-full table-fixed text-sm">
        <thead className="text-soft">
          <tr className="border-b">
            <th scope="col" className={`${heading} ps-4 text-start`}>
              {t("admin.source.name")}
            </th>
            <th scope="col" className={`${heading} w-32 text-start max-sm:hidden`}>
              {t("admin.state")}
            </th>
            <th scope="col" className={`py-2 w-24 pe-6 font-semibold whitespace-nowrap text-end`}>
              {t("admin.source.posts")}
            </th>
            <th scope="col" className={`${heading} w-28 text-start max-sm:hidden`}>
              {t("admin.lastVisit")}
            </th>
            <th scope="col" className={`${heading} w-28 text-start max-sm:hidden`}>
              {t("admin.newestPost")}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {sources.map((source) => (
            <SourceRow key={source.id} source={source} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SourceRow({ source }: { source: Source }) {
  const { t, locale } = useText();
  const { id, name, platform, url, lastError, polledAt, newestAt, importedPosts } = source;
  return (
    <tr className="align-top">
      <td className="py-2 ps-4 pe-3">
        <div className="sm:flex sm:items-baseline sm:gap-x-2">
          <Link
            to={`/admin/sources/${id}`}
            className="theirs-line block max-w-full leading-6 font-semibold hover:underline sm:shrink-0"
          >
            {name}
          </Link>
          <p className="flex min-w-0 items-baseline gap-2">
            <span className="theirs-line text-soft">
              {t(`platform.${platform}`)}
              {url && ` · ${url.replace(/^https?:\/\//, "")}`}
            </span>
            <span className="sm:hidden">
              <SourceState source={source} />
            </span>
          </p>
        </div>
        {lastError && <p className="theirs line-clamp-2 text-danger">{lastError}</p>}
      </td>
      <td className="py-2 pe-3 max-sm:hidden">
        <SourceState source={source} />
      </td>
      <td className="py-2 pe-6 text-end tabular-nums">{importedPosts.toLocaleString(locale)}</td>
      <td className="py-2 pe-3 text-soft max-sm:hidden">{polledAt ? <Time at={polledAt} /> : "–"}</td>
      <td className="py-2 pe-3 text-soft max-sm:hidden">{newestAt ? <Time at={newestAt} /> : "–"}</td>
    </tr>
  );
}

/** Finds sources by name, and filters them by state. Both are in the URL. */
function SourceFilters({ search }: { search: AddressValues }) {
  const { t } = useText();
  const navigate = useNavigate();
  const [q, setQ] = useState(search.q ?? "");
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/admin/sources", search: { ...search, q: q.trim() || undefined } });
  };
  return (
    <div className="mb-3 flex flex-wrap items-end gap-3 px-4 sm:px-0">
      <search className="flex-1">
        <form onSubmit={handleSubmit} className="flex items-end gap-2">
          <Field
            label={t("admin.findSource")}
            value={q}
            onChange={(event) => setQ(event.target.value)}
            maxLength={limits.query}
            autoComplete="off"
            className="max-w-sm min-w-40 flex-1"
          />
          <Button type="submit" className="min-h-11">
            {t("nav.search")}
          </Button>
        </form>
      </search>
      <Filter
        to="/admin/sources"
        label={t("admin.state")}
        name="state"
        selected={search.state}
        search={{ q: search.q }}
        values={{
          "": t("admin.all"),
          working: t("admin.source.working"),
          failing: t("admin.source.failing"),
          set_aside: t("admin.source.set_aside"),
        }}
      />
    </div>
  );
}
