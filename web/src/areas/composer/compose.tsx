import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { StoredDraft } from "../../data/draft-storage.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { WithAside } from "../../ui/aside.tsx";
import { ButtonLink, Spinner } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { sentAlts } from "./alt-texts.ts";
import { CommunityField, usePolicyOf } from "./community-field.tsx";
import { declarationOf } from "./declaration.ts";
import { isWritten, type PostDraft, sentText } from "./draft.ts";
import { PostEditor } from "./editor.tsx";
import { Formatting } from "./formatting.tsx";
import { MediaField } from "./media-field.tsx";
import { isVideo, type Media, useCheckedFiles, useFileDrop, useSelectedMedia } from "./media-selection.ts";
import { useNewPostDraft } from "./new-post-draft.ts";
import { sentPoll } from "./poll-text.ts";
import { SaveDraftButton, SubmitButton, usePostForm } from "./post-form.tsx";
import { FixedProvenance, ProvenanceField } from "./provenance-field.tsx";
import { NewQuote } from "./quote-part.tsx";
import { RestoredDraft } from "./restored-draft.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { useSharedText } from "./shared-text.ts";
import { UploadProgress } from "./upload-progress.tsx";
import { confirmLeaving, type NewPost, useIsPublishing, usePublish } from "./use-publish.ts";

/** The page for a new post. */
export function Compose() {
  const { t } = useText();
  return (
    <WithAside aside={<Formatting />}>
      <div>
        <PageTitle
          actions={
            <ButtonLink to="/drafts" size="small">
              {t("composer.drafts")}
            </ButtonLink>
          }
        >
          {t("composer.new")}
        </PageTitle>
        <PublishGuard />
      </div>
    </WithAside>
  );
}

/**
 * Readers who come back while a post is still being published see that first. The form after it is for a new
 * post.
 */
function PublishGuard() {
  const { t } = useText();
  const isPublishing = useIsPublishing();
  const [wasPublishing] = useState(isPublishing);
  if (!wasPublishing || !isPublishing) return <NewPostForm />;
  return (
    <p role="status" className="card flex items-center gap-3 p-6">
      <Spinner label={t("common.loading")} /> {t("composer.posting")}
    </p>
  );
}

function NewPostForm() {
  const { t } = useText();
  const me = useMe();
  const stored = useNewPostDraft();
  useSharedText(stored);
  const draft = stored.value;
  const [media, setMedia, clearMedia] = useSelectedMedia();
  const [altPrompted, setAltPrompted] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const resetForm = () => {
    clearMedia();
    form.reset();
    setAltPrompted(false);
  };
  const clear = () => {
    stored.clear();
    resetForm();
  };
  const handleSent = () => {
    stored.clearSent();
    resetForm();
  };
  const publishing = usePublish(stored, handleSent);
  const draftSaving = useSaveDraft(stored, handleSent);
  const busy = publishing.isPublishing || draftSaving.pending;
  const change = (values: Partial<PostDraft>) => stored.change(values);
  const count = media.files.length;
  const selectMedia = (selected: Media) => {
    setMedia(selected);
    setAltPrompted(false);
    change({ fileNames: selected.files.map(({ name }) => name).join(", ") });
  };
  const selection = useCheckedFiles(media, selectMedia);
  const addFiles = (files: File[]) => !busy && selection.add(files);
  const fileDrop = useFileDrop(addFiles);
  useLeaveWarning(count > 0);
  const lostFiles = count > 0 ? "" : draft.fileNames;
  const error = publishing.error ?? draftSaving.error;
  const alts = media.files.map((_, i) => draft.alts[i] ?? "");
  // What an agent posts is labelled as such, whatever it declares.
  const isAgent = me?.role === "agent";
  const policy = usePolicyOf(draft.community);
  const declaration = declarationOf(isAgent ? "human" : draft.provenance, policy);
  const form = usePostForm({ ...draft, alts }, error, isAgent ? null : declaration.problem);
  const isMissing = (alt: string) => alt.trim() === "";
  const isAltMissing = altPrompted && alts.some(isMissing);
  const altMessages = form.altMessages(alts);
  const submit = () => {
    if (!form.validate() || publishing.isPublishing) return;
    // Asks only once: posting without a description is allowed.
    if (alts.some(isMissing) && !altPrompted) return setAltPrompted(true);
    publishing.publish(postPayload(draft, media));
  };
  const save = (publishAt: string | null) => {
    if (form.validate()) draftSaving.save({ ...textPayload(draft), publishAt });
  };
  return (
    <PostEditor
      form={form}
      onSubmit={submit}
      {...fileDrop.handlers}
      className={fileDrop.isOver ? "outline-2 outline-accent outline-dashed" : ""}
      notice={
        ((stored.isRestored && isWritten(draft)) || lostFiles !== "") && (
          <RestoredDraft lostFiles={lostFiles} onClear={clear} />
        )
      }
      text={draft}
      onChange={change}
      readOnly={busy}
      linkCard={count > 0 ? false : null}
      takesPoll
      onFiles={addFiles}
      media={
        <MediaField
          note={t("composer.draftsSaveTextOnly")}
          media={media}
          alts={draft.alts}
          onChange={(changed, descriptions) => {
            if (changed !== media) selection.change(changed);
            change({ alts: descriptions });
          }}
          readOnly={busy}
          altErrors={alts.map((alt, i) =>
            altPrompted && isMissing(alt) ? t("composer.altMissing") : (altMessages[i] ?? null),
          )}
          error={error}
          fileProblem={selection.problem}
        />
      }
      quote={
        draft.quoteId !== null && <NewQuote id={draft.quoteId} onRemove={() => change({ quoteId: null })} />
      }
      products={{ selected: draft.productIds, onChange: (productIds) => change({ productIds }) }}
      community={<CommunityField value={draft.community} onChange={(community) => change({ community })} />}
      settings={
        <Checkbox
          label={t("composer.quotable")}
          checked={draft.isQuotable}
          disabled={busy}
          onChange={({ target }) => change({ isQuotable: target.checked })}
        />
      }
      provenance={
        isAgent ? (
          <FixedProvenance provenance="ai_generated" reason={t("composer.labelled.agent")} />
        ) : (
          <ProvenanceField
            declaration={declaration}
            error={form.messageFor("provenance")}
            onChange={(provenance) => change({ provenance })}
          />
        )
      }
      onSchedule={count > 0 ? undefined : () => form.validate() && setScheduling(true)}
      status={
        <>
          <ErrorNotice error={error} />
          <UploadProgress progress={publishing.progress} onCancel={publishing.cancel} />
        </>
      }
      actions={
        <>
          {count === 0 && <SaveDraftButton busy={draftSaving.pending} onClick={() => save(null)} />}
          <SubmitButton busy={publishing.isPublishing}>
            {t(isAltMissing ? "composer.postWithoutAlt" : "composer.post")}
          </SubmitButton>
        </>
      }
    >
      <ScheduleDialog
        open={isScheduling}
        onClose={() => setScheduling(false)}
        onSchedule={save}
        busy={draftSaving.pending}
      />
    </PostEditor>
  );
}

/**
 * All fields but media, as the API expects them. It assumes the same as the form where nothing is declared, unless the community has begun to
 * ask for that.
 */
function textPayload({
  provenance,
  productIds,
  community,
  quoteId,
  isQuotable,
  ...draft
}: PostDraft): Omit<NewPost, "image" | "video" | "thumbnail" | "alt" | "alts"> {
  return {
    ...sentText(draft),
    ...(draft.poll && { poll: sentPoll(draft.poll) }),
    ...(provenance && { provenance }),
    ...(productIds.length > 0 && { productIds }),
    ...(community && { community }),
    ...(quoteId !== null && { quoteId }),
    ...(!isQuotable && { quotePolicy: "nobody" }),
  };
}

function postPayload(draft: PostDraft, media: Media): NewPost {
  const text = textPayload(draft);
  const { files, poster } = media;
  const [file] = files;
  if (!file) return text;
  const described = { ...text, ...sentAlts(draft.alts, files.length) };
  if (!isVideo(media)) return { ...described, image: files.length > 1 ? files : file };
  return { ...described, video: file, ...(poster && { thumbnail: poster }) };
}

/** Saves a draft on the server, now or with a publishing time, and opens the list of drafts. */
function useSaveDraft(stored: StoredDraft<PostDraft>, onSaved: () => void) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isStillOnPage = useStillOnPage();
  const { mutate, isPending, error } = useAction(
    (api, draft: Parameters<typeof api.createDraft>[0]) =>
      api.createDraft(draft, { idempotencyKey: stored.idempotencyKeyFor({ draft }) }),
    {
      inlineErrors: true,
      onSuccess: ({ draft }) => {
        onSaved();
        void queryClient.invalidateQueries({ queryKey: ["drafts"] });
        show(t(draft.state === "scheduled" ? "composer.scheduled" : "composer.saved"));
        if (isStillOnPage()) void navigate({ to: "/drafts" });
      },
    },
  );
  return { save: mutate, pending: isPending, error };
}

/** The stored draft doesn't include the selected file, so leaving the page asks for confirmation. */
function useLeaveWarning(enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    addEventListener("beforeunload", confirmLeaving);
    return () => removeEventListener("beforeunload", confirmLeaving);
  }, [enabled]);
}
