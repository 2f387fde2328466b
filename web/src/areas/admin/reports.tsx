import { limits } from "@tandem/contract/limits";
import type { ReportCase } from "@tandem/contract/moderation";
import { targetKinds } from "@tandem/contract/moderation-names";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { adminKey, casesQuery } from "../../data/admin.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import type { AddressValues } from "../../shared/page.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { MoreBelow } from "../../ui/load-more.tsx";
import { Empty, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage, Filter } from "./layout.tsx";
import { JudgeDialog, type Judgement } from "./moderation-dialog.tsx";

type Verdict = "dismiss" | "remove" | "suspend";

/** What was reported, all reports of a thing together; many can be settled at once. */
export function Reports() {
  const { t } = useText();
  const search: AddressValues = useSearch({ strict: false });
  const list = useInfiniteQuery(casesQuery(useApi(), search));
  const cases = list.data?.pages.flatMap((page) => page.cases) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const picked = cases.filter(({ id }) => chosen.has(id));
  const toggle = (id: number, on: boolean) =>
    setChosen((now) => new Set(on ? [...now, id] : [...now].filter((one) => one !== id)));
  return (
    <AdminPage section="reports">
      <div className="mb-3 flex flex-wrap gap-3 px-4 sm:px-0">
        <Filter
          to="/admin/reports"
          label={t("admin.state")}
          name="state"
          chosen={search.state}
          search={{ kind: search.kind }}
          values={{ "": t("admin.open"), resolved: t("admin.resolved") }}
        />
        <Filter
          to="/admin/reports"
          label={t("admin.kind")}
          name="kind"
          chosen={search.kind}
          search={{ state: search.state }}
          values={{
            "": t("admin.all"),
            ...Object.fromEntries(targetKinds.map((kind) => [kind, t(`admin.kind.${kind}`)])),
          }}
        />
      </div>
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && cases.length === 0 && (
        <div className="card">
          <Empty title={t("admin.noReports")}>{t("admin.noReportsSays")}</Empty>
        </div>
      )}
      <ul className="flex flex-col gap-3">
        {cases.map((one) => (
          <Case key={one.id} shown={one} chosen={chosen.has(one.id)} onChoose={(on) => toggle(one.id, on)} />
        ))}
      </ul>
      <MoreBelow list={list} />
      {picked.length > 0 && <Settle cases={picked} onDone={() => setChosen(new Set())} />}
    </AdminPage>
  );
}

function Case({
  shown,
  chosen,
  onChoose,
}: {
  shown: ReportCase;
  chosen: boolean;
  onChoose(on: boolean): void;
}) {
  const { t } = useText();
  const { id, target, held, reportCount, reasons, state, outcome, newestAt } = shown;
  return (
    <li className="card flex gap-3 p-4 max-sm:rounded-none max-sm:border-x-0">
      {state === "open" && (
        <input
          type="checkbox"
          className="mt-1 size-5 shrink-0"
          aria-label={t("admin.choose", { name: target.excerpt ?? target.username ?? String(id) })}
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
          <span className="font-semibold text-ink">{t(`admin.kind.${target.kind}`)}</span>
          {target.username && (
            <Link to="/admin/users" search={{ q: target.username }} className="theirs hover:underline">
              @{target.username}
            </Link>
          )}
          <Time at={newestAt} />
          {held && (
            <span className="rounded-full bg-person-soft px-2 text-xs font-semibold text-person">
              {t("admin.held")}
            </span>
          )}
          {outcome && (
            <span className="rounded-full bg-sunken px-2 text-xs font-semibold">
              {t(`admin.outcome.${outcome}`)}
            </span>
          )}
        </p>
        <p className="theirs mt-1 line-clamp-3">
          {target.kind === "post" ? (
            <Link to={postAddress(target.id)} className="hover:underline">
              {target.excerpt ?? t("admin.gone")}
            </Link>
          ) : (
            (target.excerpt ?? t("admin.gone"))
          )}
        </p>
        <p className="mt-2 text-sm text-soft">{t("admin.reportCount", { count: reportCount })}</p>
        <ul className="mt-1 flex flex-wrap gap-1.5">
          {[...new Set(reasons)].map((reason) => (
            <li key={reason} className="theirs rounded-lg bg-danger-soft px-2 py-0.5 text-sm text-danger">
              {reason}
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}

/** What is done with all that is chosen: all of it, or none. */
function Settle({ cases, onDone }: { cases: readonly ReportCase[]; onDone(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [asked, setAsked] = useState<Verdict | null>(null);
  const settle = useAction(
    (api, { action, reason, until }: Judgement & { action: Verdict }) =>
      api.resolveReports({ ids: cases.map(({ id }) => id), action, reason, ...(until && { until }) }),
    {
      inlineErrors: true,
      onSuccess: (answer, { done }) => {
        done();
        setAsked(null);
        onDone();
        void queryClient.invalidateQueries({ queryKey: adminKey });
        void queryClient.invalidateQueries({ queryKey: ["posts"] });
        show(t("admin.settled", { count: answer.cases.length }));
      },
    },
  );
  const removable = cases.every(({ target }) => target.kind !== "account");
  const tooMany = cases.length > limits.casesAtOnce;
  return (
    <div className="sticky bottom-16 z-20 mt-4 flex flex-wrap items-center gap-2 rounded-card border border-edge bg-raised p-3 shadow-raised rail:bottom-4">
      <span className="me-auto font-semibold" aria-live="polite">
        {tooMany
          ? t("admin.tooMany", { most: limits.casesAtOnce })
          : t("admin.chosen", { count: cases.length })}
      </span>
      <Button size="small" disabled={tooMany} onClick={() => setAsked("dismiss")}>
        {t("admin.dismiss")}
      </Button>
      <Button size="small" look="danger" disabled={tooMany || !removable} onClick={() => setAsked("remove")}>
        {t("admin.remove")}
      </Button>
      <Button size="small" look="danger" disabled={tooMany} onClick={() => setAsked("suspend")}>
        {t("admin.suspend")}
      </Button>
      {asked && (
        <JudgeDialog
          about={`${asked}.${cases.map(({ id }) => id).join(".")}`}
          title={t(`admin.${asked}Title`, { count: cases.length })}
          action={t(`admin.${asked}`)}
          term={asked === "suspend"}
          busy={settle.isPending}
          error={settle.error}
          onClose={() => setAsked(null)}
          onJudge={(judgement) => settle.mutate({ ...judgement, action: asked })}
        />
      )}
    </div>
  );
}
