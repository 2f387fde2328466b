import { Save } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from "react";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { isAltTooLong, type PostText, validateText } from "./draft.ts";

/**
 * Validates a post's text and focuses the first invalid field. Problems are shown from the first attempt to
 * send; `error` is the API's, and `provenance` the problem with what is declared.
 */
export function usePostForm(text: PostText, error: Error | null, provenance: TextKey | null = null) {
  const { t } = useText();
  const [attempts, setAttempts] = useState(0);
  const ref = useFocusFirstError(error ?? attempts);
  const problems: Partial<Record<FormField, TextKey>> = {
    ...validateText(text),
    ...(provenance && { provenance }),
  };
  return {
    ref,
    /** Counts an attempt to send. Returns whether the text is valid. */
    validate(): boolean {
      setAttempts(attempts + 1);
      return Object.keys(problems).length === 0;
    },
    /** The message at a field. */
    messageFor: (field: FormField): string | null => {
      const problem = attempts > 0 && problems[field];
      return problem ? t(problem) : fieldErrorMessage(field, error, t);
    },
    /** The messages at the descriptions of the media. The API's is at the first, unless one of them is too long. */
    altMessages: (alts: readonly string[]): (string | null)[] => {
      const isShown = attempts > 0;
      const messages = alts.map((alt) => (isShown && isAltTooLong(alt) ? t("composer.tooLong") : null));
      const fromApi = fieldErrorMessage("alt", error, t) ?? fieldErrorMessage("alts", error, t);
      return messages.some(Boolean) ? messages : messages.map((_, i) => (i === 0 ? fromApi : null));
    },
    reset: () => setAttempts(0),
  };
}

type FormField = keyof PostText | "provenance";

interface Props extends Omit<ComponentProps<"form">, "onSubmit"> {
  onSubmit(): void;
}

export function PostForm({ onSubmit, className = "", ...rest }: Props) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={submitOnShortcut}
      className={`post-editor card-flush flex flex-col ${className}`}
    />
  );
}

/** The button that submits the form, as Ctrl+Enter or ⌘+Enter does. */
export function SubmitButton({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <Button
      type="submit"
      variant="primary"
      busy={busy}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title="Ctrl+Enter, ⌘+Enter"
      className="max-sm:min-h-11"
    >
      {children}
    </Button>
  );
}

/** Only an icon on phones, where the bar has no room for more. */
export function SaveDraftButton({ busy, onClick }: { busy: boolean; onClick(): void }) {
  const { t } = useText();
  return (
    <Button variant="quiet" busy={busy} onClick={onClick} className="max-sm:size-11 max-sm:px-0">
      {!busy && <Save className="size-5 sm:hidden" aria-hidden="true" />}
      <span className="max-sm:sr-only">{t("composer.saveDraft")}</span>
    </Button>
  );
}

function submitOnShortcut(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, nativeEvent, currentTarget: form, target } = event;
  if (key !== "Enter" || !(ctrlKey || metaKey) || nativeEvent.isComposing) return;
  // React events bubble through portals: a dialog isn't part of the form.
  if (!form.contains(target as Node)) return;
  event.preventDefault();
  // After React has rendered what the key changed, such as a completed link.
  queueMicrotask(() => form.requestSubmit());
}
