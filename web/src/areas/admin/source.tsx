import type { SkippedItem, SourceVisit } from "@tandem/contract/source-visits";
import type { Source } from "@tandem/contract/sources";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sourcePostsQuery, sourceQuery } from "../../data/admin.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Link, OutboundLink } from "../../ui/link.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { Time, useNow } from "../../ui/time.tsx";
import { AdminPage } from "./layout.tsx";
import { SourceActions, SourceState } from "./source-actions.tsx";
import { VisitTable } from "./visit-table.tsx";

/** One source: how it is, its last visits, what they left out, and the newest posts from it. */
export function SourcePage() {
  const { t } = useText();
  const id = Number(useParams().id);
  const { data } = useQuery(sourceQuery(useApi(), id));
  // The latest visit that read the source; one that found it unchanged has left out nothing.
  const telling = data?.visits.find(({ skipped }) => skipped.length > 0);
  return (
    <AdminPage section="sources">
      <BackLink to="/admin/sources" className="mt-0 mb-2">
        {t("admin.allSources")}
      </BackLink>
      {data ? (
        <div className="flex flex-col gap-4">
          <SourceHeader source={data.source} />
          <Section title={t("admin.visits")} isFlush={data.visits.length > 0}>
            {data.visits.length > 0 ? (
              <VisitTable visits={data.visits} />
            ) : (
              <p className="text-sm text-soft">{t("admin.noVisits")}</p>
            )}
          </Section>
          {telling && <LeftOut visit={telling} />}
          <NewestPosts id={id} />
        </div>
      ) : (
        <SkeletonCards />
      )}
    </AdminPage>
  );
}

function Section({
  title,
  isFlush = false,
  children,
}: {
  title: ReactNode;
  /** Whether the content reaches the card's edges. */
  isFlush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="card-flush overflow-hidden">
      <h3 className="px-4 pt-4 pb-2 font-semibold">{title}</h3>
      <div className={isFlush ? "" : "px-4 pb-4"}>{children}</div>
    </section>
  );
}

function SourceHeader({ source }: { source: Source }) {
  const { t, locale } = useText();
  const { name, platform, community, url, lastError, intervalSeconds, nextAt, polledAt, newestAt, push } =
    source;
  const minutes = Math.round(intervalSeconds / 60);
  const [amount, unit] = minutes < 120 ? [minutes, "minute"] : [Math.round(minutes / 60), "hour"];
  const interval = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount);
  return (
    <section className="card-flush flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="theirs-heading text-xl font-bold">{name}</h2>
        <SourceState source={source} />
      </div>
      <p className="theirs text-sm break-words text-soft">
        {t(`platform.${platform}`)}
        {community && ` · ${community}`}
        {url && (
          <>
            {" · "}
            <OutboundLink
              href={url}
              className="inline-block min-h-6 content-center text-accent break-all hover:underline"
            >
              {url}
            </OutboundLink>
          </>
        )}
      </p>
      {lastError && (
        <p className="theirs rounded-xl bg-danger-soft p-3 text-sm break-words text-danger">{lastError}</p>
      )}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm sm:grid-cols-4">
        <Fact label={t("admin.nextVisit")}>{nextAt ? <NextVisit at={nextAt} /> : t("admin.never")}</Fact>
        <Fact label={t("admin.lastVisit")}>{polledAt ? <Time at={polledAt} /> : t("admin.notYet")}</Fact>
        <Fact label={t("admin.newestPost")}>{newestAt ? <Time at={newestAt} /> : t("admin.notYet")}</Fact>
        <Fact label={t("admin.interval")}>{interval}</Fact>
        {push !== "none" && <Fact label={t("admin.hub")}>{t(`admin.hub.${push}`)}</Fact>}
      </dl>
      <SourceActions source={source} />
    </section>
  );
}

/** A visit that is due waits for its turn. */
function NextVisit({ at }: { at: string }) {
  const { t } = useText();
  const now = useNow();
  return Date.parse(at) <= now ? t("admin.soon") : <Time at={at} />;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

/** What the visit didn't take, by reason, with some of the items. */
function LeftOut({ visit: { startedAt, skipped, examples } }: { visit: SourceVisit }) {
  const { t } = useText();
  return (
    <Section title={t("admin.leftOut")}>
      <p className="mb-3 text-sm text-soft">
        {t("admin.leftOutAt")} <Time at={startedAt} />
      </p>
      <ul className="flex flex-col divide-y">
        {skipped.map(({ reason, count }) => (
          <li
            key={reason}
            className="grid grid-cols-[2.5rem_1fr] gap-x-2 py-2.5 text-sm first:pt-0 last:pb-0"
          >
            <span className="text-end font-semibold tabular-nums">{count}</span>
            <div className="min-w-0">
              <p>{t(`admin.skip.${reason}`)}</p>
              <ul>
                {examples
                  .filter((example) => example.reason === reason)
                  .map((example) => (
                    <Example key={`${example.url} ${example.title}`} example={example} />
                  ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Example({ example: { title, url } }: { example: SkippedItem }) {
  const text = title ?? url;
  return (
    <li className="theirs-line min-h-6 content-center text-soft">
      {url?.startsWith("http") ? (
        <OutboundLink href={url} className="block min-h-6 content-center truncate hover:underline">
          {text}
        </OutboundLink>
      ) : (
        text
      )}
    </li>
  );
}

function NewestPosts({ id }: { id: number }) {
  const { t } = useText();
  const { data: posts = [] } = useQuery(sourcePostsQuery(useApi(), id));
  return (
    <Section title={t("admin.newestPosts")}>
      {posts.length === 0 ? (
        <p className="text-sm text-soft">{t("admin.noPostsYet")}</p>
      ) : (
        <ul className="flex flex-col divide-y">
          {posts.map(({ id, title, body, author, postedAt }) => (
            <li key={id} className="flex items-baseline justify-between gap-3 py-2 text-sm first:pt-0">
              <Link to={postAddress(id)} className="theirs-line min-h-6 min-w-0 hover:underline">
                {title ?? body ?? author}
              </Link>
              <Time at={postedAt} className="text-soft" />
            </li>
          ))}
        </ul>
      )}
      {posts.length > 0 && (
        <Link
          to="/"
          search={{ sourceId: String(id) }}
          className="inline-block pt-2 text-sm text-accent underline"
        >
          {t("admin.allPosts")}
        </Link>
      )}
    </Section>
  );
}
