import type { Draft } from "@tandem/contract/drafts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { draftQuery } from "../../data/drafts.ts";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { type PostText, trimmedOrNull, validateText } from "./draft.ts";
import { usePublishDraft } from "./draft-actions.tsx";
import { RestoredDraft } from "./restored-draft.tsx";
import { TextFields } from "./text-fields.tsx";

/** The page to edit a draft that is saved on the server. */
export function EditDraft({ id }: { id: number }) {
  const { t } = useText();
  const { data: draft, isPending } = useQuery(draftQuery(useApi(), id));
  if (isPending) return <SkeletonCards count={1} />;
  if (draft?.operation !== "createPost")
    return (
      <EmptyState
        isPage
        title={t("composer.draftGone")}
        action={<ButtonLink to="/drafts">{t("composer.drafts")}</ButtonLink>}
      />
    );
  return (
    <div className="column">
      <PageTitle description={t("composer.editDraftSays")}>{t("composer.editDraft")}</PageTitle>
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
  const [attempts, setAttempts] = useState(0);
  const save = useSaveDraft(id);
  const publish = usePublishDraft(draft);
  const form = useFocusFirstError(save.error ?? attempts);
  const problems = validateText(stored.value);
  const saveThen = (next: () => void) => {
    setAttempts(attempts + 1);
    if (Object.keys(problems).length > 0) return;
    save.mutate(stored.value, { onSuccess: next });
  };
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveThen(() => {
      stored.clear();
      void navigate({ to: "/drafts" });
    });
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="card flex flex-col gap-5 p-4 max-sm:rounded-none max-sm:border-x-0 sm:p-6"
    >
      {stored.isRestored && <RestoredDraft onClear={stored.clear} />}
      <TextFields
        text={stored.value}
        onChange={stored.change}
        problems={attempts > 0 ? problems : {}}
        error={save.error}
        readOnly={save.isPending || publish.isPending}
      />
      {mediaUrl !== null && (
        <TextArea
          label={t("composer.alt")}
          hint={t("composer.altSays")}
          error={attempts > 0 && problems.alt ? t(problems.alt) : fieldErrorMessage("alt", save.error, t)}
          value={stored.value.alt}
          onChange={({ target }) => stored.change({ alt: target.value })}
        />
      )}
      <ErrorNotice error={save.error} />
      <div className="flex flex-wrap items-center justify-end gap-2 border-t pt-4">
        <Button type="submit" busy={save.isPending}>
          {t("common.save")}
        </Button>
        <Button
          variant="primary"
          busy={save.isPending || publish.isPending}
          onClick={() => saveThen(() => publish.mutate(undefined, { onSuccess: stored.clear }))}
        >
          {t(state === "pending" ? "composer.approve" : "composer.publish")}
        </Button>
      </div>
    </form>
  );
}

function useSaveDraft(id: number) {
  const api = useApi();
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  return useAction(
    (api, { title, body, url, alt }: PostText) =>
      api.editDraft({
        id,
        title: title.trim(),
        body: trimmedOrNull(body),
        url: trimmedOrNull(url),
        alt: trimmedOrNull(alt),
      }),
    {
      inlineErrors: true,
      onSuccess: ({ draft }) => {
        queryClient.setQueryData(draftQuery(api, id).queryKey, draft);
        void queryClient.invalidateQueries({ queryKey: ["drafts", "list"] });
        show(t("composer.saved"));
      },
    },
  );
}
