import type { Draft } from "@tandem/contract/drafts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { draftQuery } from "../../data/drafts.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { type PostText, trimmedText } from "./draft.ts";
import { usePublishDraft } from "./draft-actions.tsx";
import { PostForm, usePostForm } from "./post-form.tsx";
import { RestoredDraft } from "./restored-draft.tsx";
import { AltField, TextFields } from "./text-fields.tsx";

/** The page to edit a draft that is saved on the server. */
export function EditDraft({ id }: { id: number }) {
  const { t } = useText();
  const { data: draft, isPending } = useQuery(draftQuery(useApi(), id));
  if (isPending) return <SkeletonCards count={1} />;
  if (draft?.operation !== "createPost")
    return (
      <EmptyState
        isPage
        title={t("composer.draftNotFound")}
        action={<ButtonLink to="/drafts">{t("composer.drafts")}</ButtonLink>}
      />
    );
  return (
    <div className="column">
      <PageTitle description={t("composer.editDraftDescription")}>{t("composer.editDraft")}</PageTitle>
      <DraftForm draft={draft} />
    </div>
  );
}

function DraftForm({ draft }: { draft: Draft }) {
  const { t } = useText();
  const { id, title, body, url, alt, mediaUrl, state } = draft;
  const stored = useStoredDraft<PostText>(`draft.${id}`, {
    title: title ?? "",
    body: body ?? "",
    url: url ?? "",
    alt: alt ?? "",
  });
  const save = useSaveDraft(id);
  const publish = usePublishDraft(draft);
  const form = usePostForm(stored.value, save.error);
  const navigate = useNavigate();
  const saveThen = (next: () => void) => {
    if (form.validate()) save.mutate(stored.value, { onSuccess: next });
  };
  const submit = () =>
    saveThen(() => {
      stored.clear();
      void navigate({ to: "/drafts" });
    });
  const busy = save.isPending || publish.isPending;
  return (
    <PostForm ref={form.ref} onSubmit={submit}>
      {stored.isRestored && <RestoredDraft onClear={stored.clear} />}
      <TextFields text={stored.value} onChange={stored.change} messageFor={form.messageFor} readOnly={busy} />
      {mediaUrl !== null && (
        <AltField
          alt={stored.value.alt}
          onChange={(alt) => stored.change({ alt })}
          error={form.messageFor("alt")}
          readOnly={busy}
        />
      )}
      <ErrorNotice error={save.error} />
      <div className="flex flex-wrap items-center justify-end gap-2 border-t pt-4">
        <Button type="submit" busy={save.isPending}>
          {t("common.save")}
        </Button>
        <Button
          variant="primary"
          busy={busy}
          onClick={() => saveThen(() => publish.mutate(undefined, { onSuccess: stored.clear }))}
        >
          {t(state === "pending" ? "composer.approve" : "composer.publish")}
        </Button>
      </div>
    </PostForm>
  );
}

function useSaveDraft(id: number) {
  const api = useApi();
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  return useAction((api, text: PostText) => api.editDraft({ id, ...trimmedText(text) }), {
    inlineErrors: true,
    onSuccess: ({ draft }) => {
      queryClient.setQueryData(draftQuery(api, id).queryKey, draft);
      void queryClient.invalidateQueries({ queryKey: ["drafts", "list"] });
      show(t("composer.saved"));
    },
  });
}
