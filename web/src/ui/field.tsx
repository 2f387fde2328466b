import { type ComponentProps, type ReactNode, useId } from "react";
import { useAlive } from "./alive.ts";

interface Labelled {
  label: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong with it. */
  error?: string | null;
}

const box =
  "w-full rounded-xl border border-edge bg-raised px-3 py-2 text-base placeholder:text-soft focus:border-accent aria-invalid:border-danger";

/** One line of text with its label. */
export function Field({ label, hint, error, className = "", ...rest }: ComponentProps<"input"> & Labelled) {
  const { id, described } = useLabels(rest.id, hint, error);
  return (
    <Labels id={id} label={label} hint={hint} error={error} className={className}>
      <input
        {...rest}
        id={id}
        aria-describedby={described}
        aria-invalid={error ? true : undefined}
        readOnly={useReadOnly(rest)}
        className={`${box} min-h-11`}
      />
    </Labels>
  );
}

/** Text of several lines, growing with what is written. */
export function TextArea({
  label,
  hint,
  error,
  className = "",
  ...rest
}: ComponentProps<"textarea"> & Labelled) {
  const { id, described } = useLabels(rest.id, hint, error);
  return (
    <Labels id={id} label={label} hint={hint} error={error} className={className}>
      <textarea
        {...rest}
        id={id}
        aria-describedby={described}
        aria-invalid={error ? true : undefined}
        readOnly={useReadOnly(rest)}
        className={`${box} field-sizing-content min-h-24 resize-y`}
      />
    </Labels>
  );
}

/** A choice of few, as the platform draws it: nothing is as handy on a phone. */
export function Choice({
  label,
  hint,
  error,
  className = "",
  children,
  ...rest
}: ComponentProps<"select"> & Labelled) {
  const { id, described } = useLabels(rest.id, hint, error);
  return (
    <Labels id={id} label={label} hint={hint} error={error} className={className}>
      <select {...rest} id={id} aria-describedby={described} className={`${box} min-h-11`}>
        {children}
      </select>
    </Labels>
  );
}

/** A box to tick, with its label beside it. */
export function Tick({
  label,
  hint,
  className = "",
  ...rest
}: ComponentProps<"input"> & Omit<Labelled, "error">) {
  const { id, described } = useLabels(rest.id, hint, null);
  return (
    <div className={`flex gap-3 ${className}`}>
      <input
        type="checkbox"
        {...rest}
        id={id}
        aria-describedby={described}
        className="mt-0.5 size-5 shrink-0"
      />
      <div>
        <label htmlFor={id} className="font-medium">
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

/** Whose value is the page's takes none before the page is alive: it would be lost. Others' is the browser's own. */
function useReadOnly({ value, readOnly }: { value?: unknown; readOnly?: boolean | undefined }): boolean {
  const alive = useAlive();
  return readOnly === true || (value !== undefined && !alive);
}

function useLabels(given: string | undefined, hint: ReactNode, error: string | null | undefined) {
  const own = useId();
  const id = given ?? own;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, described: described || undefined };
}

function Labels({
  id,
  label,
  hint,
  error,
  className,
  children,
}: Labelled & { id: string; className: string; children: ReactNode }) {
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
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
