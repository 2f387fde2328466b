import type { Draft } from "@tandem/contract/drafts";
import type { Provenance } from "@tandem/contract/provenance";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { draftQuery } from "../../data/drafts.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { AltField, StoredAltFields } from "./alt-field.tsx";
import { altsOf, sentAlts } from "./alt-texts.ts";
import { CommunityField, usePolicyOf } from "./community-field.tsx";
import { declarationOf } from "./declaration.ts";
import { type PostText, sentText, writtenText } from "./draft.ts";
import { usePublishDraft } from "./draft-actions.tsx";
import { DraftSettings } from "./draft-content.tsx";
import { PostEditor } from "./editor.tsx";
import { Formatting } from "./formatting.tsx";
import { goneOf } from "./gone.ts";
import { GoneNotice } from "./gone-notice.tsx";
import { sentPoll } from "./poll-text.ts";
import { usePostForm } from "./post-form.tsx";
import { FixedProvenance, ProvenanceField } from "./provenance-field.tsx";
import { QuotePart } from "./quote-part.tsx";
import { RestoredDraft } from "./restored-draft.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";

interface DraftText extends PostText {
  /** Null unless its author chooses it again. */
  provenance: Provenance | null;
  /** Empty for none. */
  community: string;
  /** Null once the quote is removed. */
  quoteId: number | null;
}

/** The page to edit a draft that is saved on the server. */
export function EditDraft({ id }: { id: number }) {
  const { t } = useText();
  const { data: draft, isPending } = useQuery(draftQuery(useApi(), id));
  if (isPending) return <SkeletonCards count={1} />;
  if (draft?.operation !== "createPost")
    return (
      <EmptyState
        drawing="lost"
        isPage
        title={t("composer.draftNotFound")}
        action={<ButtonLink to="/drafts">{t("composer.drafts")}</ButtonLink>}
      />
    );
  return (
    <WithAside aside={<Formatting />}>
      <div>
        <PageTitle description={draft.products?.length ? t("composer.editDraftDescription") : null}>
          {t("composer.editDraft")}
        </PageTitle>
        <DraftForm draft={draft} />
      </div>
    </WithAside>
  );
}

function DraftForm({ draft }: { draft: Draft }) {
  const { t } = useText();
  const me = useMe();
  const { id, title = null, body = null, contentWarning, url, mediaUrl, pictures, state, author } = draft;
  const stored = useStoredDraft<DraftText>(`draft.${id}`, {
    ...writtenText({ title, body, contentWarning }),
    url: url ?? "",
    alts: altsOf(draft),
    contentWarning: contentWarning ?? "",
    sensitive: draft.sensitive ?? false,
    poll: draft.poll,
    provenance: null,
    community: draft.community ?? "",
    quoteId: draft.quoteId,
  });
  const { alts, community, quoteId } = stored.value;
  const [isScheduling, setScheduling] = useState(false);
  const save = useSaveDraft(draft);
  const publish = usePublishDraft(draft);
  const gone = goneOf({ ...draft, quoteId }, publish.error);
  const isStamped = draft.provenanceBasis === "stamped";
  const policy = usePolicyOf(community);
  // What was declared for another community was perhaps not meant for this one.
  const isMoved = community !== (draft.community ?? "");
  const chosen = stored.value.provenance ?? (isMoved ? null : draft.provenance);
  const declaration = declarationOf(chosen, policy, draft.provenance ?? "human");
  const form = usePostForm(stored.value, save.error, isStamped ? null : declaration.problem);
  const navigate = useNavigate();
  const isPending = state === "pending";
  const isOwn = author === me?.username;
  const saveThen = (next: () => void, publishAt?: string) => {
    if (form.validate()) save.mutate({ ...stored.value, publishAt }, { onSuccess: next });
  };
  const close = () => {
    stored.clear();
    void navigate({ to: "/drafts" });
  };
  const removeQuote = () => {
    stored.change({ quoteId: null });
    // It may have failed because of the quote.
    publish.reset();
  };
  const busy = save.isPending || publish.isPending;
  return (
    <PostEditor
      form={form}
      onSubmit={() => saveThen(close)}
      author={isOwn ? undefined : { name: author, src: null, isAgent: true }}
      notice={stored.isRestored && <RestoredDraft onClear={stored.clear} />}
      text={stored.value}
      onChange={stored.change}
      readOnly={busy}
      takesPoll
      hasLink={mediaUrl === null}
      media={
        mediaUrl !== null &&
        // Pictures are stored as WebP; anything else is a video.
        (mediaUrl.endsWith(".webp") ? (
          <StoredAltFields
            pictures={pictures ?? [{ url: mediaUrl }]}
            alts={alts}
            onChange={(changed) => stored.change({ alts: changed })}
            errors={form.altMessages(alts)}
            readOnly={busy}
          />
        ) : (
          <AltField
            alt={alts[0] ?? ""}
            onChange={(alt) => stored.change({ alts: [alt] })}
            error={form.altMessages(alts)[0] ?? null}
            readOnly={busy}
          />
        ))
      }
      quote={quoteId !== null && <QuotePart quote={draft.quote} onRemove={removeQuote} />}
      community={
        isOwn && <CommunityField value={community} onChange={(community) => stored.change({ community })} />
      }
      provenance={
        isStamped ? (
          <FixedProvenance provenance="ai_generated" reason={t("composer.labelled.stamped")} />
        ) : (
          <ProvenanceField
            declaration={declaration}
            error={form.messageFor("provenance")}
            onChange={(provenance) => stored.change({ provenance })}
          />
        )
      }
      // What publishing does that no field of this form shows. The poll has its own.
      settings={<DraftSettings {...draft} poll={null} community={isOwn ? null : draft.community} />}
      onSchedule={isPending ? undefined : () => form.validate() && setScheduling(true)}
      status={
        <>
          {gone && <GoneNotice what={gone} isPending={isPending} />}
          <ErrorNotice error={save.error} />
        </>
      }
      actions={
        <>
          <Button type="submit" busy={save.isPending} className="max-sm:min-h-11">
            {t("common.save")}
          </Button>
          {!gone && (
            <Button
              variant="primary"
              busy={busy}
              // On phones, the bar has no gap, so that a new post's buttons fit next to its tools.
              className="max-sm:ms-2 max-sm:min-h-11"
              onClick={() => saveThen(() => publish.mutate(undefined, { onSuccess: stored.clear }))}
            >
              {t(isPending ? "composer.approve" : "composer.publish")}
            </Button>
          )}
        </>
      }
    >
      <ScheduleDialog
        open={isScheduling}
        onClose={() => setScheduling(false)}
        onSchedule={(publishAt) => saveThen(close, publishAt)}
        busy={save.isPending}
      />
    </PostEditor>
  );
}

function useSaveDraft(draft: Draft) {
  const { id, poll: before, mediaUrl, provenanceBasis, community: communityBefore } = draft;
  const api = useApi();
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  return useAction(
    (
      api,
      { publishAt, provenance, community, quoteId, ...text }: DraftText & { publishAt: string | undefined },
    ) =>
      api.editDraft({
        id,
        ...sentText(text),
        ...(provenance && provenanceBasis !== "stamped" && { provenance }),
        ...(community !== (communityBefore ?? "") && { community: community || null }),
        ...(quoteId !== draft.quoteId && { quoteId }),
        ...(mediaUrl !== null && sentAlts(text.alts, altsOf(draft).length)),
        ...((text.poll ?? before) && { poll: text.poll ? sentPoll(text.poll) : null }),
        ...(publishAt && { publishAt }),
      }),
    {
      inlineErrors: true,
      onSuccess: ({ draft }, { publishAt }) => {
        queryClient.setQueryData(draftQuery(api, id).queryKey, draft);
        void queryClient.invalidateQueries({ queryKey: ["drafts", "list"] });
        show(t(publishAt === undefined ? "composer.saved" : "composer.scheduled"));
      },
    },
  );
}
