import { type ComponentProps, createContext, type ReactNode, use, useId } from "react";
import type { Faults } from "./field-errors.ts";
import { useHydrated } from "./use-hydrated.ts";

interface Labelled {
  label: string;
  /** A word beside the label, such as that it may be left out. */
  mark?: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong with it. */
  error?: string | null;
}

/** What the form around a field found wrong with it, where nobody else tells it. */
export const FaultsHolder = createContext<Faults | null>(null);

const box =
  "w-full rounded-xl border border-edge bg-raised px-3 py-2 text-base placeholder:text-soft focus:border-accent aria-invalid:border-danger";

/** One line of text with its label. */
export function Field({
  label,
  mark,
  hint,
  error: told,
  className = "",
  ...rest
}: ComponentProps<"input"> & Labelled) {
  const error = useError(told, rest.name);
  const { id, described } = useLabels(rest.id, hint, error);
  return (
    <Labels {...{ id, label, mark, hint, error, className }}>
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

export interface TextFieldProps extends Omit<ComponentProps<typeof Field>, "value" | "onChange"> {
  value: string;
  onText(text: string): void;
}

/** The same, for a text that its page keeps. */
export const TextField = ({ onText, ...rest }: TextFieldProps) => (
  <Field {...rest} onChange={({ target }) => onText(target.value)} />
);

/** Text of several lines, growing with what is written. */
export function TextArea({
  label,
  mark,
  hint,
  error: told,
  className = "",
  ...rest
}: ComponentProps<"textarea"> & Labelled) {
  const error = useError(told, rest.name);
  const { id, described } = useLabels(rest.id, hint, error);
  return (
    <Labels {...{ id, label, mark, hint, error, className }}>
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
  mark,
  hint,
  error: told,
  className = "",
  children,
  ...rest
}: ComponentProps<"select"> & Labelled) {
  const error = useError(told, rest.name);
  const { id, described } = useLabels(rest.id, hint, error);
  return (
    <Labels {...{ id, label, mark, hint, error, className }}>
      <select
        {...rest}
        id={id}
        aria-describedby={described}
        aria-invalid={error ? true : undefined}
        className={`${box} min-h-11`}
      >
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
}: ComponentProps<"input"> & Omit<Labelled, "error" | "mark">) {
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
  const alive = useHydrated();
  return readOnly === true || (value !== undefined && !alive);
}

const useError = (told: string | null | undefined, name = "") => use(FaultsHolder)?.[name] || told;

function useLabels(given: string | undefined, hint: ReactNode, error: string | null | undefined) {
  const own = useId();
  const id = given ?? own;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, described: described || undefined };
}

function Labels({
  id,
  label,
  mark,
  hint,
  error,
  className,
  children,
}: Labelled & { id: string; className: string; children: ReactNode }) {
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <div className="flex gap-1.5 text-sm">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {mark && <span className="text-soft">{mark}</span>}
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
