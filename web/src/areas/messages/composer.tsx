import { limits } from "@tandem/contract/limits";
import { SendHorizontal } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownEditor } from "../../posts/markdown-editor.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

/** The message input. Enter sends, Shift+Enter adds a line; unsent text survives a reload. */
export function MessageComposer({
  username,
  name,
  isDeleted,
  onSend,
}: {
  username: string;
  name: string;
  isDeleted: boolean;
  onSend(body: string): void;
}) {
  const { t } = useText();
  const isHydrated = useHydrated();
  const [isOpened, setOpened] = useState(false);
  const stored = useStoredDraft(`message.${username.toLowerCase()}`, { body: "" });
  const { body } = stored.value;
  const send = () => {
    if (!body.trim()) return;
    onSend(body.trim());
    stored.clear();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  if (isDeleted)
    return <p className="border-t px-4 py-4 text-center text-soft">{t("messages.recipientDeleted")}</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="flex items-end gap-2 border-t bg-surface p-3"
    >
      <MarkdownEditor text={body} showsTools={isOpened || body !== ""}>
        <textarea
          aria-label={t("messages.write", { name })}
          placeholder={t("messages.placeholder")}
          value={body}
          readOnly={!isHydrated}
          rows={1}
          onFocus={() => setOpened(true)}
          maxLength={limits.messageBody}
          onChange={({ target }) => stored.change({ body: target.value })}
          onKeyDown={onKeyDown}
          className="field-sizing-content block max-h-40 min-h-11 w-full resize-none rounded-3xl border border-edge bg-raised px-4 py-2.5 text-base placeholder:text-soft focus:border-accent"
        />
      </MarkdownEditor>
      <button
        type="submit"
        disabled={!body.trim()}
        aria-label={t("messages.send")}
        title={t("messages.send")}
        className="grid size-11 shrink-0 place-items-center rounded-full bg-accent text-on-accent transition hover:brightness-110 disabled:opacity-50"
      >
        <SendHorizontal className="size-5 rtl:rotate-180" aria-hidden="true" />
      </button>
    </form>
  );
}
