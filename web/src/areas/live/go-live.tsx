import { limits } from "@tandem/contract/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { liveAddress } from "../../shared/addresses.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox, Field } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { EndButton } from "./end-button.tsx";
import { useLives } from "./use-lives.ts";

type Ingest = { url: string; streamKey: string };

/** Starts a live stream: asks for a title, then shows the details for the streaming software. */
export default function GoLiveDialog({ username, onClose }: { username: string; onClose(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const lives = useLives().data ?? [];
  const ownStream = lives.find((live) => live.username === username);
  const hasChat = ownStream !== undefined && ownStream.postId !== null;
  const stored = useStoredDraft("live", { title: ownStream?.title ?? "", chat: true });
  const { title, chat } = stored.value;
  const { showError } = useToasts();
  const start = useAction(
    async (api, newTitle: string) => {
      // First of all, because the stream key is shown only once.
      // The chat of an earlier stream would be kept.
      const started = await api.startLive({ title: newTitle, ...(!hasChat && { postId: null }) });
      if (hasChat || !chat) return started;
      const announcement = { title: newTitle, url: new URL(liveAddress(username), location.href).href };
      try {
        const idempotencyKey = stored.idempotencyKeyFor(announcement);
        const { post } = await api.createPost(announcement, { idempotencyKey });
        await api.startLive({ title: newTitle, postId: post.id });
      } catch (error) {
        showError(errorMessage(error, t));
      }
      return started;
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        stored.clear();
        return queryClient.invalidateQueries({ queryKey: ["lives"] });
      },
    },
  );
  const cancel = () => {
    stored.clear();
    onClose();
  };
  const formError = useFormError(start.error, ["title"]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("live.go")}
      description={start.data ? undefined : t("live.goDescription")}
    >
      {start.data ? (
        <IngestDetails ingest={start.data.ingest} username={username} onClose={onClose} />
      ) : (
        <Form
          onSubmit={() => start.mutate(title.trim())}
          busy={start.isPending}
          error={formError}
          submitLabel={t(ownStream ? "live.rename" : "live.begin")}
          secondaryAction={
            ownStream ? (
              <EndButton onEnded={onClose} />
            ) : (
              <Button onClick={cancel}>{t("common.cancel")}</Button>
            )
          }
        >
          <Field
            name="title"
            label={t("live.field.title")}
            hint={t("live.hint.title")}
            value={title}
            readOnly={start.isPending}
            onChange={({ target }) => stored.change({ title: target.value })}
            maxLength={limits.liveTitle}
            required
            error={fieldErrorOf(formError, "title")}
          />
          {!hasChat && (
            <Checkbox
              label={t("live.field.chat")}
              hint={t("live.hint.chat")}
              checked={chat}
              disabled={start.isPending}
              onChange={({ target }) => stored.change({ chat: target.checked })}
            />
          )}
        </Form>
      )}
    </Dialog>
  );
}

function IngestDetails({
  ingest,
  username,
  onClose,
}: {
  ingest: Ingest | null;
  username: string;
  onClose(): void;
}) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-4">
      {ingest ? (
        <>
          <p>{t("live.ingestDescription")}</p>
          <CopyField label={t("live.ingest.url")} value={ingest.url} />
          <CopyField label={t("live.ingest.streamKey")} value={ingest.streamKey} hint={t("live.shownOnce")} />
        </>
      ) : (
        <p>{t("live.noIngest")}</p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <EndButton onEnded={onClose} />
        <ButtonLink to={liveAddress(username)} variant="primary">
          {t("live.viewOwn")}
        </ButtonLink>
      </div>
    </div>
  );
}

/** A value to copy. */
function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-end gap-2">
      <Field
        ref={input}
        label={label}
        value={value}
        readOnly
        hint={hint}
        className="min-w-0 flex-1 [&_input]:font-mono [&_input]:text-sm"
        onFocus={({ target }) => target.select()}
      />
      <CopyButton
        text={value}
        target={input}
        label={t("live.copy", { what: label })}
        className="min-h-11 sm:min-h-11"
      />
    </div>
  );
}
