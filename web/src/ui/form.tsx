import { TandemError } from "@tandem/client";
import { type ReactNode, type SubmitEvent, use, useState } from "react";
import { errorMessage, fieldErrorMessages } from "../data/error-messages.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { DialogContext } from "./dialog-context.ts";
import { ErrorLink } from "./error-notice.tsx";
import { FieldErrorsContext } from "./field.tsx";
import type { FieldErrors } from "./field-errors.ts";
import { useFocusFirstError } from "./use-focus-first-error.ts";
import { useHydrated } from "./use-hydrated.ts";

/** The values of a form's text fields, by name. */
export type FormValues = Readonly<Record<string, string>>;

/** An error of a form. */
export interface FormError {
  /** The messages for the fields of the form that aren't valid; empty if no visible field is responsible. */
  fields: FieldErrors;
  message: string;
  /** Set unless the form has a message of its own for the error. */
  error?: Error;
  /** The same object as long as nothing else was tried. */
  cause: Error;
}

/**
 * Describes an error for a form with these fields. `customMessage` returns the form's own text, or null for
 * the default.
 */
export function useFormError(
  error: Error | null,
  fields: readonly string[],
  customMessage: (error: TandemError) => string | null = () => null,
): FormError | null {
  const { t } = useText();
  if (!error) return null;
  const apiError = error instanceof TandemError ? error : null;
  const invalid = Object.entries(fieldErrorMessages(error, t, customMessage)).filter(([field]) =>
    fields.includes(field),
  );
  const common = { fields: Object.fromEntries(invalid), cause: error };
  const message = apiError && customMessage(apiError);
  return message === null ? { ...common, message: errorMessage(error, t), error } : { ...common, message };
}

/** The message for one field; null if the error is about something else. */
export const fieldErrorOf = (error: FormError | null, field: string): string | null =>
  error?.fields[field] ?? null;

/** Whether the form has a field for the error, and so shows it there. */
export const isAtField = ({ fields }: FormError): boolean => Object.keys(fields).length > 0;

/**
 * A form that keeps its input until it was sent. Invalid input isn't sent: the error is announced, and its
 * field focused.
 */
export function Form({
  onSubmit,
  onInvalid,
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
  /** Called with the names of fields that the browser finds invalid. Errors appear once what it returns has settled. */
  onInvalid?(values: FormValues, invalid: readonly string[]): Promise<unknown>;
  busy: boolean;
  error: FormError | null;
  submitLabel: string;
  danger?: boolean;
  /** Whether the button is as wide as the fields. */
  fullWidth?: boolean;
  /** Shown next to the submit button. */
  secondaryAction?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  const { t } = useText();
  const isHydrated = useHydrated();
  const isInDialog = use(DialogContext);
  const { fieldErrors, validate, clearError } = useValidation();
  const form = useFocusFirstError(fieldErrors ?? (error && isAtField(error) && error.cause));
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === "string");
    const values = Object.fromEntries(texts) as FormValues;
    if (!busy && validate(event.currentTarget, (invalid) => onInvalid?.(values, invalid)))
      onSubmit(values, event.currentTarget);
  };
  return (
    // `method="post"` keeps the input out of the URL if the form is submitted before hydration.
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
          {error && !isAtField(error) && (
            <div className="mb-4">
              <WarningBox>
                {error.message} {error.error && <ErrorLink error={error.error} />}
              </WarningBox>
            </div>
          )}
        </div>
        <noscript>
          <p className="mb-4 text-soft">{t("common.noScript")}</p>
        </noscript>
        <div className={`flex flex-wrap items-center gap-2 ${isInDialog ? "justify-end" : ""}`}>
          {isInDialog && secondaryAction}
          <Button
            type="submit"
            variant={danger ? "danger" : "primary"}
            busy={busy}
            disabled={busy || !isHydrated}
            className={fullWidth ? "min-h-11 flex-1" : ""}
          >
            {submitLabel}
          </Button>
          {!isInDialog && secondaryAction}
        </div>
      </div>
    </form>
  );
}

type OnInvalid = (invalid: readonly string[]) => Promise<unknown> | undefined;

/** The browser's validation errors, each shown until its field changes. */
function useValidation() {
  const { t } = useText();
  const loadOnDemand = useLoadOnDemand();
  const [fieldErrors, setFieldErrors] = useState<FieldErrors | null>(null);
  const showErrors = async (form: HTMLFormElement, onInvalid: OnInvalid) => {
    const { validationErrors } = await loadOnDemand(() => import("./field-errors.ts"));
    const errors = validationErrors(form, t);
    await onInvalid(Object.keys(errors));
    setFieldErrors(errors);
  };
  return {
    fieldErrors,
    /** Returns whether the form may be sent. If our messages can't be loaded, the browser shows its own. */
    validate(form: HTMLFormElement, onInvalid: OnInvalid): boolean {
      const isValid = form.checkValidity();
      if (isValid) setFieldErrors(null);
      else showErrors(form, onInvalid).catch(() => form.reportValidity());
      return isValid;
    },
    clearError(name: string) {
      if (fieldErrors?.[name]) setFieldErrors({ ...fieldErrors, [name]: "" });
    },
  };
}

export function WarningBox({ children }: { children: ReactNode }) {
  return <p className="rounded-xl bg-danger-soft px-4 py-3 text-sm font-medium text-danger">{children}</p>;
}
