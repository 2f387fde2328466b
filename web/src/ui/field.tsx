import { type ComponentProps, createContext, type ReactNode, use, useId } from "react";
import type { FieldErrors } from "./field-errors.ts";
import { useHydrated } from "./use-hydrated.ts";

interface FieldProps {
  label: string;
  /** A note next to the label, such as "optional". */
  labelNote?: string;
  /** Helps to fill the field in. */
  hint?: ReactNode;
  /** Why the value isn't valid. */
  error?: string | null;
}

/**
 * Validation errors of the surrounding form, by field name. They take precedence over the field's own
 * `error`.
 */
export const FieldErrorsContext = createContext<FieldErrors | null>(null);

const inputClass =
  "w-full rounded-xl border border-edge bg-raised px-3 py-2 text-base placeholder:text-soft focus:border-accent aria-invalid:border-danger";

/** A labelled text input. */
export function Field(props: ComponentProps<"input"> & FieldProps) {
  const { layout, control } = useField(props);
  return (
    <FieldLayout {...layout}>
      <input {...control} readOnly={useReadOnly(props)} className={`${inputClass} min-h-11`} />
    </FieldLayout>
  );
}

export interface TextFieldProps extends Omit<ComponentProps<typeof Field>, "value" | "onChange"> {
  value: string;
  onValueChange(text: string): void;
}

/** A `Field` that is controlled. */
export const TextField = ({ onValueChange, ...rest }: TextFieldProps) => (
  <Field {...rest} onChange={({ target }) => onValueChange(target.value)} />
);

/** A labelled text area that grows with its content. With `rows={1}`, it starts as one line. */
export function TextArea({
  hasVisibleLabel = true,
  ...props
}: ComponentProps<"textarea"> & FieldProps & { hasVisibleLabel?: boolean }) {
  const { layout, control } = useField(props);
  return (
    <FieldLayout {...layout} hasVisibleLabel={hasVisibleLabel}>
      <textarea
        {...control}
        {...(!hasVisibleLabel && { placeholder: props.label })}
        readOnly={useReadOnly(props)}
        className={`${inputClass} field-sizing-content ${props.rows === 1 ? "min-h-11 resize-none" : "min-h-24 resize-y"}`}
      />
    </FieldLayout>
  );
}

/** A native select, which works best on phones. */
export function Select(props: ComponentProps<"select"> & FieldProps) {
  const { layout, control } = useField(props);
  return (
    <FieldLayout {...layout}>
      <select {...control} className={`${inputClass} min-h-11`} />
    </FieldLayout>
  );
}

/** A checkbox with its label. */
export function Checkbox({
  label,
  hint,
  className = "",
  ...rest
}: ComponentProps<"input"> & Omit<FieldProps, "error" | "mark">) {
  const { id, describedBy } = useFieldIds(rest.id, hint, null);
  return (
    <div className={`flex gap-3 ${className}`}>
      <input
        type="checkbox"
        {...rest}
        id={id}
        aria-describedby={describedBy}
        className="mt-0.5 size-5 shrink-0"
      />
      <div>
        <label htmlFor={id} className="inline-block min-h-6 font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/**
 * Controlled fields are read-only until hydration, because React would discard what was typed before.
 * Uncontrolled fields keep it.
 */
export function useReadOnly({
  value,
  readOnly,
}: {
  value?: unknown;
  readOnly?: boolean | undefined;
}): boolean {
  const isHydrated = useHydrated();
  return readOnly === true || (value !== undefined && !isHydrated);
}

interface ControlProps {
  id?: string | undefined;
  name?: string | undefined;
  className?: string | undefined;
}

/**
 * Splits a field's props into those of its layout and those of its control, and connects the two: the layout shows
 * a hint with the id `ID-hint`, and an error with `ID-error`.
 */
export function useField<P extends FieldProps & ControlProps>({
  label,
  labelNote,
  hint,
  error: ownError,
  className = "",
  ...rest
}: P) {
  const error = useError(ownError, rest.name);
  const { id, describedBy } = useFieldIds(rest.id, hint, error);
  return {
    layout: { id, label, labelNote, hint, error, className },
    control: { ...rest, id, "aria-describedby": describedBy, "aria-invalid": error ? true : undefined },
  };
}

const useError = (ownError: string | null | undefined, name = "") =>
  use(FieldErrorsContext)?.[name] || ownError;

function useFieldIds(givenId: string | undefined, hint: ReactNode, error: string | null | undefined) {
  const generatedId = useId();
  const id = givenId ?? generatedId;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, describedBy: describedBy || undefined };
}

function FieldLayout({
  id,
  label,
  labelNote,
  hint,
  error,
  className,
  hasVisibleLabel = true,
  children,
}: FieldProps & { id: string; className: string; hasVisibleLabel?: boolean; children: ReactNode }) {
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <div className={hasVisibleLabel ? "flex gap-1.5 text-sm" : "sr-only"}>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {labelNote && <span className="text-soft">{labelNote}</span>}
      </div>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
