import { type ComponentProps, useState } from "react";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { type PostText, validateText } from "./draft.ts";

/**
 * Validates a post's text and focuses the first invalid field. Problems are shown from the first attempt to
 * send; `error` is the API's.
 */
export function usePostForm(text: PostText, error: Error | null) {
  const { t } = useText();
  const [attempts, setAttempts] = useState(0);
  const ref = useFocusFirstError(error ?? attempts);
  const problems = validateText(text);
  return {
    ref,
    /** Counts an attempt to send. Returns whether the text is valid. */
    validate(): boolean {
      setAttempts(attempts + 1);
      return Object.keys(problems).length === 0;
    },
    /** The message at a field. */
    messageFor: (field: keyof PostText): string | null => {
      const problem = attempts > 0 && problems[field];
      return problem ? t(problem) : fieldErrorMessage(field, error, t);
    },
    reset: () => setAttempts(0),
  };
}

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
      className={`card flex flex-col gap-5 p-4 max-sm:rounded-none max-sm:border-x-0 sm:p-6 ${className}`}
    />
  );
}
