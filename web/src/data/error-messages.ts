import { TandemError } from "@tandem/client";
import type { Translate } from "../i18n/use-text.tsx";
import { Unreachable } from "../shared/page.ts";

/**
 * An error in the reader's language, with what to do about it. Validation errors have the API's own message.
 */
export function errorMessage(error: unknown, t: Translate): string {
  if (isUnreachable(error)) return t("error.unreachable");
  if (!(error instanceof TandemError)) return t("error.unknown");
  const { status, code, retryAfter, message } = error;
  if (status === 429) return t("error.rate_limited", { seconds: retryAfter ?? 60 });
  if (status === 401 && code === "unauthorized") return t("error.unauthorized");
  if (isKnown(code)) return t(`error.${code}`);
  if (status >= 500) return t(status === 503 ? "error.overloaded" : "error.internal");
  return message;
}

/** Whether there was no answer at all, as without a connection. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof TandemError && error.status === 0);

/** The codes with a text of their own. */
const known = [
  "not_found",
  "already_decided",
  "forbidden",
  "agent_forbidden",
  "ai_policy",
  "email_taken",
  "username_taken",
  "invalid_token",
  "file_too_large",
  "origin_unavailable",
  "storage_failure",
  "suspended",
] as const;

function isKnown(code: string): code is (typeof known)[number] {
  return (known as readonly string[]).includes(code);
}

/** The message for one field of a form; null if the error is about something else. */
export function fieldErrorMessage(field: string, error: unknown, t: Translate): string | null {
  return fieldErrorMessages(error, t)[field] ?? null;
}

/** The messages for the invalid fields. `customMessage` returns the form's own text, or null for the default. */
export function fieldErrorMessages(
  error: unknown,
  t: Translate,
  customMessage: (error: TandemError) => string | null = () => null,
): Readonly<Record<string, string>> {
  if (!(error instanceof TandemError)) return {};
  return Object.fromEntries(
    error.errors.map((fieldError) => {
      const alone = new TandemError(error.status, fieldError);
      return [
        fieldError.field,
        customMessage(alone) ?? invalidEmail(fieldError, t) ?? errorMessage(alone, t),
      ];
    }),
  );
}

/** The browser takes some addresses that the API doesn't, such as `foo@example`. */
const invalidEmail = ({ field, code }: { field: string; code: string }, t: Translate): string | null =>
  field === "email" && code === "invalid_input" ? t("validation.email") : null;
