import { TandemError } from "@tandem/client";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { errorMessage } from "../data/error-messages.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { LogInInNewTab } from "./error-notice.tsx";
import { FieldErrorsContext } from "./field.tsx";
import type { FieldErrors } from "./field-errors.ts";
import { useFocusFirstError } from "./use-focus-first-error.ts";
import { useHydrated } from "./use-hydrated.ts";

/** What stands in a form's fields of text, by their names. */
export type FormValues = Readonly<Record<string, string>>;

/** What went wrong: of which field, as far as one that is shown is at fault, and in which words. */
export interface FormError {
  field: string | null;
  message: string;
  /** Where nobody has words of their own for it. */
  error?: Error;
}

/** What an error says to whoever filled in a form with these fields; `own` has words for what they alone mean. */
export function useFormError(
  error: Error | null,
  fields: readonly string[],
  customMessage: (error: TandemError) => string | null = () => null,
): FormError | null {
  const { t } = useText();
  if (!error) return null;
  const apiError = error instanceof TandemError ? error : null;
  const field = apiError?.field !== undefined && fields.includes(apiError.field) ? apiError.field : null;
  const message = apiError && customMessage(apiError);
  return message === null ? { field, message: errorMessage(error, t), error } : { field, message };
}

/** What is told beside a field; null where it isn't that field's fault. */
export const fieldErrorOf = (error: FormError | null, field: string): string | null =>
  error?.field === field ? error.message : null;

/**
 * Fields that keep what was typed until it went through. What went wrong is read out, and led to; what the rules of its own
 * fields rule out isn't sent.
 */
export function Form({
  onSubmit,
  busy,
  error,
  submitLabel,
  danger = false,
  fullWidth = false,
  secondaryAction,
  children,
  className = "",
}: {
  onSubmit(values: FormValues, form: HTMLFormElement): void;
  busy: boolean;
  error: FormError | null;
  /** What its button says. */
  submitLabel: string;
  danger?: boolean;
  /** Whether the button is as wide as the fields. */
  fullWidth?: boolean;
  /** What else can be pressed. */
  secondaryAction?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  const isHydrated = useHydrated();
  const { fieldErrors, validate, clearError } = useValidation();
  const form = useFocusFirstError(fieldErrors ?? error?.field);
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === "string");
    if (!busy && validate(event.currentTarget))
      onSubmit(Object.fromEntries(texts) as FormValues, event.currentTarget);
  };
  return (
    // Sent before anybody listens, what was typed would stand in the address.
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={handleSubmit}
      onInput={({ target }) => target instanceof HTMLElement && clearError(target.getAttribute("name") ?? "")}
      className={`flex flex-col gap-4 ${className}`}
    >
      <FieldErrorsContext value={fieldErrors}>{children}</FieldErrorsContext>
      <div>
        <div role="alert">
          {error && !error.field && (
            <WarningBox>
              {error.message} {error.error && <LogInInNewTab error={error.error} />}
            </WarningBox>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant={danger ? "danger" : "primary"}
            busy={busy}
            disabled={busy || !isHydrated}
            className={fullWidth ? "min-h-11 flex-1" : ""}
          >
            {submitLabel}
          </Button>
          {secondaryAction}
        </div>
      </div>
    </form>
  );
}

/** What is wrong with what was typed, known before it is sent; until it is typed anew. */
function useValidation() {
  const { t } = useText();
  const loadOnDemand = useLoadOnDemand();
  const [fieldErrors, setFieldErrors] = useState<FieldErrors | null>(null);
  const showErrors = async (form: HTMLFormElement) => {
    const { validationErrors } = await loadOnDemand(() => import("./field-errors.ts"));
    setFieldErrors(validationErrors(form, t));
  };
  return {
    fieldErrors,
    /** Whether a form may be sent. Where our words for what is wrong don't come, the browser's do. */
    validate(form: HTMLFormElement): boolean {
      const isValid = form.checkValidity();
      if (isValid) setFieldErrors(null);
      else showErrors(form).catch(() => form.reportValidity());
      return isValid;
    },
    clearError(name: string) {
      if (fieldErrors?.[name]) setFieldErrors({ ...fieldErrors, [name]: "" });
    },
  };
}

/** What didn't work, in a box of its own. */
export function WarningBox({ children }: { children: ReactNode }) {
  return (
    <p className="mb-4 rounded-xl bg-danger-soft px-4 py-3 text-sm font-medium text-danger">{children}</p>
  );
}
