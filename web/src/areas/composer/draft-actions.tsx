import type { FlatClient } from "@tandem/client";
import type { Draft } from "@tandem/contract/drafts";
import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { draftAddress, postAddress } from "../../shared/addresses.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { goneOf } from "./gone.ts";
import { GoneNotice } from "./gone-notice.tsx";
import { RemoveQuote } from "./remove-quote.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { useRefreshIfGone } from "./use-refresh-if-gone.ts";

/** A draft's buttons. Authors publish their own drafts; operators approve or reject those of their agents. */
export function DraftActions({ draft, name }: { draft: Draft; name: string }) {
  const { t } = useText();
  const { id, operation, state } = draft;
  const [isDiscarding, setDiscarding] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const isPost = operation === "createPost";
  const isPending = state === "pending";
  const publish = usePublishDraft(draft);
  const schedule = useScheduleDraft(id, () => setScheduling(false));
  const discard = useDiscardDraft(draft, () => setDiscarding(false));
  const publishLabel = t(isPending ? "composer.approve" : "composer.publish");
  const discardLabel = t(isPending ? "composer.reject" : "composer.discard");
  const scheduleLabel = t(state === "scheduled" ? "composer.reschedule" : "composer.schedule");
  const named = (label: string) => `${label}: ${name}`;
  const gone = goneOf(draft, publish.error);
  const canPublish = gone === null;
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1">
      {gone && (
        <div className="w-full">
          <GoneNotice what={gone} isPending={isPending} />
        </div>
      )}
      {canPublish && (
        <Button
          variant="primary"
          size="small"
          busy={publish.isPending}
          aria-label={named(publishLabel)}
          onClick={() => publish.mutate()}
        >
          {publishLabel}
        </Button>
      )}
      {gone === "quote" && <RemoveQuote id={id} name={name} onDone={publish.reset} />}
      {isPost && (canPublish || gone === "quote" || !isPending) && (
        <ButtonLink
          to={draftAddress}
          search={{ draft: String(id) }}
          size="small"
          // On phones there is no room next to the buttons of a scheduled post. Its title is a link to the editor too.
          className={state === "scheduled" ? "max-sm:hidden" : ""}
          aria-label={t("composer.editNamed", { name })}
        >
          {t("common.edit")}
        </ButtonLink>
      )}
      {isPost && !isPending && canPublish && (
        <Button size="small" aria-label={named(scheduleLabel)} onClick={() => setScheduling(true)}>
          {scheduleLabel}
        </Button>
      )}
      {state === "scheduled" && (
        <Button
          size="small"
          busy={schedule.isPending}
          aria-label={named(t("composer.unschedule"))}
          onClick={() => schedule.mutate(null)}
        >
          {t("composer.unschedule")}
        </Button>
      )}
      <Button
        size="small"
        variant="danger"
        className="ms-auto"
        aria-label={named(discardLabel)}
        onClick={() => setDiscarding(true)}
      >
        {isPending ? (
          discardLabel
        ) : (
          <>
            <Trash2 className="size-4 sm:hidden" aria-hidden="true" />
            <span className="max-sm:sr-only">{discardLabel}</span>
          </>
        )}
      </Button>
      <ScheduleDialog
        open={isScheduling}
        onClose={() => setScheduling(false)}
        onSchedule={(at) => schedule.mutate(at)}
        busy={schedule.isPending}
      />
      <ConfirmDialog
        open={isDiscarding}
        onClose={() => setDiscarding(false)}
        onConfirm={() => discard.mutate()}
        busy={discard.isPending}
        title={t(isPending ? "composer.rejectTitle" : "composer.discardTitle")}
        description={t("composer.discardDescription")}
        action={discardLabel}
      />
    </div>
  );
}

/** Publishes or approves a draft. The reader's own opens the new post. */
export function usePublishDraft(draft: Draft) {
  const { t } = useText();
  const { show } = useToasts();
  const me = useMe();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id, state, author } = draft;
  const isOwn = state !== "pending" && author === me?.username;
  const run = (api: FlatClient) => (isOwn ? api.publishDraft({ id }) : api.approveDraft({ id }));
  return useAction(run, {
    onError: useRefreshIfGone(),
    onSuccess: ({ published, postId }) => {
      invalidateAgents(queryClient);
      for (const name of ["posts", "products", "creators", "communities"])
        void queryClient.invalidateQueries({ queryKey: [name] });
      const done = state === "pending" ? "composer.approved" : "composer.posted";
      show(t(published ? done : "composer.scheduled"));
      if (isOwn && postId !== null) void navigate({ to: postAddress(postId) });
    },
  });
}

function useScheduleDraft(id: number, onDone: () => void) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  return useAction((api, publishAt: string | null) => api.editDraft({ id, publishAt }), {
    onSuccess: ({ draft }) => {
      onDone();
      void queryClient.invalidateQueries({ queryKey: ["drafts"] });
      show(t(draft.publishAt === null ? "composer.unscheduled" : "composer.scheduled"));
    },
  });
}

/** Discards or rejects a draft. */
export function useDiscardDraft(draft: Draft, onDone: () => void) {
  const { id, state } = draft;
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  return useAction((api) => api.deleteDraft({ id }), {
    onError: useRefreshIfGone(),
    onSuccess: () => {
      onDone();
      invalidateAgents(queryClient);
      show(t(state === "pending" ? "composer.rejected" : "composer.discarded"));
    },
  });
}
