import { limits } from "@tandem/contract/limits";
import type { Decision } from "@tandem/contract/moderation";
import { isAboutAccount } from "@tandem/contract/moderation-names";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { adminKey, appealsQuery } from "../../data/admin.ts";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { TextArea } from "../../ui/field.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage } from "./layout.tsx";

/** Open appeals. */
export function AppealsPage() {
  const { t } = useText();
  const list = useInfiniteQuery(appealsQuery(useApi()));
  const decisions = list.data?.pages.flatMap((page) => page.decisions) ?? [];
  return (
    <AdminPage section="appeals">
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && decisions.length === 0 && (
        <EmptyState drawing="done" title={t("admin.noAppeals")}>
          {t("admin.noAppealsDescription")}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-3">
        {decisions.map((decision) => (
          <AppealCard key={decision.id} decision={decision} />
        ))}
      </ul>
      <LoadMore list={list} />
    </AdminPage>
  );
}

function AppealCard({ decision }: { decision: Decision }) {
  const { t } = useText();
  const { id, act, username, displayName, excerpt, reason, appeal, createdAt } = decision;
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const stored = useStoredDraft(`answer.${id}`, { answer: "" });
  const { answer } = stored.value;
  const reply = useAction((api, accept: boolean) => api.answerAppeal({ id, accept, answer }), {
    onSuccess: () => {
      stored.clear();
      void queryClient.invalidateQueries({ queryKey: adminKey });
      show(t("admin.answered"));
    },
  });
  return (
    <li className="card-flush flex flex-col gap-3 p-4">
      <p className="flex flex-wrap gap-x-2 text-sm text-soft">
        <span className="font-semibold text-ink">{t(`admin.act.${act}`)}</span>
        {username && <LocalName username={username} displayName={displayName} />}
        <Time at={createdAt} />
      </p>
      {!isAboutAccount(act) && (
        <blockquote className="theirs border-s-2 ps-3">
          <ExcerptBadge {...decision} /> {excerpt}
        </blockquote>
      )}
      <p className="text-sm">
        <span className="font-semibold">{t("admin.reason")}:</span> {reason}
      </p>
      <blockquote className="theirs rounded-xl bg-person-soft p-3">{appeal?.text}</blockquote>
      <TextArea
        label={t("admin.answer")}
        hint={t("admin.answerHint")}
        value={answer}
        readOnly={reply.isPending}
        onChange={(event) => stored.change({ answer: event.target.value })}
        maxLength={limits.moderationText}
      />
      <div className="flex gap-2">
        <Button
          variant="primary"
          disabled={!answer.trim()}
          busy={reply.isPending}
          onClick={() => reply.mutate(true)}
        >
          {t("admin.accept")}
        </Button>
        <Button
          variant="danger"
          disabled={!answer.trim()}
          busy={reply.isPending}
          onClick={() => reply.mutate(false)}
        >
          {t("admin.reject")}
        </Button>
      </div>
    </li>
  );
}
