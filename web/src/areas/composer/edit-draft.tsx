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
import { Failure } from "../../ui/error-notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { orNull, type Words, wrongWith } from "./draft.ts";
import { usePublishDraft } from "./draft-actions.tsx";
import { Found } from "./restored-draft.tsx";
import { WordsFields } from "./text-fields.tsx";

/** Where a draft that the service keeps is gone on with. */
export function EditDraft({ id }: { id: number }) {
  const { t } = useText();
  const { data: draft, isPending } = useQuery(draftQuery(useApi(), id));
  if (isPending) return <SkeletonCards count={1} />;
  if (draft?.operation !== "createPost")
    return (
      <Empty
        whole
        title={t("composer.draftGone")}
        action={<ButtonLink to="/drafts">{t("composer.drafts")}</ButtonLink>}
      />
    );
  return (
    <div className="column">
      <PageTitle says={t("composer.editDraftSays")}>{t("composer.editDraft")}</PageTitle>
      <DraftForm draft={draft} />
    </div>
  );
}

function DraftForm({ draft }: { draft: Draft }) {
  const { t } = useText();
  const { id, title, body, url, alt, mediaUrl, state } = draft;
  const kept = useStoredDraft<Words>(`draft.${id}`, {
    title: title ?? "",
    body: body ?? "",
    url: url ?? "",
    alt: alt ?? "",
  });
  const [tries, setTries] = useState(0);
  const save = useSaveDraft(id);
  const publish = usePublishDraft(draft);
  const form = useFocusFirstError(save.error ?? tries);
  const wrong = wrongWith(kept.value);
  const then = (next: () => void) => {
    setTries(tries + 1);
    if (Object.keys(wrong).length > 0) return;
    save.mutate(kept.value, { onSuccess: next });
  };
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    then(() => {
      kept.clear();
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
      {kept.isRestored && <Found onClear={kept.clear} />}
      <WordsFields
        words={kept.value}
        onChange={kept.change}
        wrong={tries > 0 ? wrong : {}}
        error={save.error}
        readOnly={save.isPending || publish.isPending}
      />
      {mediaUrl !== null && (
        <TextArea
          label={t("composer.alt")}
          hint={t("composer.altSays")}
          error={tries > 0 && wrong.alt ? t(wrong.alt) : fieldErrorMessage("alt", save.error, t)}
          value={kept.value.alt}
          onChange={({ target }) => kept.change({ alt: target.value })}
        />
      )}
      <Failure error={save.error} />
      <div className="flex flex-wrap items-center justify-end gap-2 border-t pt-4">
        <Button type="submit" busy={save.isPending}>
          {t("common.save")}
        </Button>
        <Button
          look="primary"
          busy={save.isPending || publish.isPending}
          onClick={() => then(() => publish.mutate(undefined, { onSuccess: kept.clear }))}
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
    (api, { title, body, url, alt }: Words) =>
      api.editDraft({ id, title: title.trim(), body: orNull(body), url: orNull(url), alt: orNull(alt) }),
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
