import { TandemError } from "@tandem/client";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { errorMessage } from "../data/error-messages.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { LogInBeside } from "./error-notice.tsx";
import { FaultsHolder } from "./field.tsx";
import type { Faults } from "./field-errors.ts";
import { useFocusFirstError } from "./use-focus-first-error.ts";
import { useHydrated } from "./use-hydrated.ts";

/** What stands in a form's fields of text, by their names. */
export type FormValues = Readonly<Record<string, string>>;

/** What went wrong: of which field, as far as one that is shown is at fault, and in which words. */
export interface Fault {
  field: string | null;
  says: string;
  /** Where nobody has words of their own for it. */
  error?: Error;
}

/** What an error says to whoever filled in a form with these fields; `own` has words for what they alone mean. */
export function useFault(
  error: Error | null,
  fields: readonly string[],
  own: (error: TandemError) => string | null = () => null,
): Fault | null {
  const { t } = useText();
  if (!error) return null;
  const known = error instanceof TandemError ? error : null;
  const field = known?.field !== undefined && fields.includes(known.field) ? known.field : null;
  const says = known && own(known);
  return says === null ? { field, says: errorMessage(error, t), error } : { field, says };
}

/** What is told beside a field; null where it isn't that field's fault. */
export const faultOf = (fault: Fault | null, field: string): string | null =>
  fault?.field === field ? fault.says : null;

/**
 * Fields that keep what was typed until it went through. What went wrong is read out, and led to; what the rules of its own
 * fields rule out isn't sent.
 */
export function Form({
  onSend,
  busy,
  fault,
  button,
  danger = false,
  wide = false,
  beside,
  children,
  className = "",
}: {
  onSend(values: FormValues, form: HTMLFormElement): void;
  busy: boolean;
  fault: Fault | null;
  /** What its button says. */
  button: string;
  danger?: boolean;
  /** Whether the button is as wide as the fields. */
  wide?: boolean;
  /** What else can be pressed. */
  beside?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  const alive = useHydrated();
  const { faults, judge, forget } = useOwnFaults();
  const form = useFocusFirstError(faults ?? fault?.field);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === "string");
    if (!busy && judge(event.currentTarget))
      onSend(Object.fromEntries(texts) as FormValues, event.currentTarget);
  };
  return (
    // Sent before anybody listens, what was typed would stand in the address.
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={send}
      onInput={({ target }) => target instanceof HTMLElement && forget(target.getAttribute("name") ?? "")}
      className={`flex flex-col gap-4 ${className}`}
    >
      <FaultsHolder value={faults}>{children}</FaultsHolder>
      <div>
        <div role="alert">
          {fault && !fault.field && (
            <Warning>
              {fault.says} {fault.error && <LogInBeside error={fault.error} />}
            </Warning>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            look={danger ? "danger" : "primary"}
            busy={busy}
            disabled={busy || !alive}
            className={wide ? "min-h-11 flex-1" : ""}
          >
            {button}
          </Button>
          {beside}
        </div>
      </div>
    </form>
  );
}

/** What is wrong with what was typed, known before it is sent; until it is typed anew. */
function useOwnFaults() {
  const { t } = useText();
  const pressed = useLoadOnDemand();
  const [faults, setFaults] = useState<Faults | null>(null);
  const tell = async (form: HTMLFormElement) => {
    const { faultsIn } = await pressed(() => import("./field-errors.ts"));
    setFaults(faultsIn(form, t));
  };
  return {
    faults,
    /** Whether a form may be sent. Where our words for what is wrong don't come, the browser's do. */
    judge(form: HTMLFormElement): boolean {
      const isFine = form.checkValidity();
      if (isFine) setFaults(null);
      else tell(form).catch(() => form.reportValidity());
      return isFine;
    },
    forget(name: string) {
      if (faults?.[name]) setFaults({ ...faults, [name]: "" });
    },
  };
}

/** What didn't work, in a box of its own. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="mb-4 rounded-xl bg-danger-soft px-4 py-3 text-sm font-medium text-danger">{children}</p>
  );
}
