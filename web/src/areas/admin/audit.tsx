import { useInfiniteQuery } from "@tanstack/react-query";
import { auditQuery } from "../../data/admin.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { knownActions } from "./audit-actions.ts";
import { AdminPage } from "./layout.tsx";

const isKnownAction = (act: string): act is (typeof knownActions)[number] =>
  knownActions.some((known) => known === act);

/** The append-only log of what admins and the automatic moderation did. */
export function AuditPage() {
  const { t } = useText();
  const search = useSearch();
  const list = useInfiniteQuery(auditQuery(useApi(), search));
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <AdminPage section="audit">
      {(search.actor || search.target) && (
        <p className="mb-3 px-4 text-sm sm:px-0">
          <span className="theirs">
            {t("admin.showingOnly", { what: search.actor ?? search.target ?? "" })}
          </span>{" "}
          <Link to="/admin/audit" className="text-accent underline">
            {t("admin.showAll")}
          </Link>
        </p>
      )}
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && entries.length === 0 && <EmptyState drawing="done" title={t("admin.noAudit")} />}
      <ol className="card-flush overflow-hidden empty:hidden">
        {entries.map(({ id, at, actor, act, target, detail, hash }) => (
          <li key={id} className="border-b px-4 py-2.5 text-sm last:border-b-0">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <Link
                to="/admin/audit"
                search={{ actor }}
                className="theirs inline-block min-h-6 content-center font-semibold hover:underline"
              >
                {actor}
              </Link>
              <span>{isKnownAction(act) ? t(`admin.action.${act}`) : act}</span>
              {target && (
                <Link
                  to="/admin/audit"
                  search={{ target }}
                  className="theirs inline-block min-h-6 content-center text-accent hover:underline"
                >
                  {target}
                </Link>
              )}
              <Time at={at} className="ms-auto text-soft" />
            </p>
            <details className="text-soft">
              <summary className="min-h-6 content-center text-xs">{t("admin.detail")}</summary>
              <p className="theirs font-mono text-xs break-all">{detail}</p>
              <p className="font-mono text-xs break-all">{hash}</p>
            </details>
          </li>
        ))}
      </ol>
      <LoadMore list={list} />
    </AdminPage>
  );
}
