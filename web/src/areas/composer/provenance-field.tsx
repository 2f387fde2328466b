import type { Provenance } from "@tandem/contract/provenance";
import { useId } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { ProvenanceIcon } from "../../ui/provenance-badge.tsx";
import type { Declaration } from "./declaration.ts";

const choices = ["human", "ai_assisted", "ai_generated"] as const satisfies Provenance[];

const chosenColor = (choice: Provenance) =>
  choice === "human" ? "has-checked:text-person" : "has-checked:text-agent";

/**
 * The author's statement of how much AI was involved, with the meaning of what is chosen. Readers see it as a badge. What the
 * community doesn't take can't be chosen.
 */
export function ProvenanceField({
  declaration: { value, allowed },
  error,
  onChange,
}: {
  declaration: Declaration;
  /** Why the choice can't be sent. */
  error: string | null;
  onChange(value: Provenance): void;
}) {
  const { t } = useText();
  const id = useId();
  const focused = allowed.find((choice) => choice === value) ?? allowed[0];
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold text-soft">{t("composer.provenance")}</legend>
      <div className="flex gap-1 rounded-xl bg-sunken p-1 max-[22rem]:flex-wrap">
        {choices.map((choice) => (
          <label
            key={choice}
            className={`relative flex min-h-11 flex-auto items-center justify-center gap-1 rounded-lg border border-transparent px-1 text-center sm:gap-1.5 sm:px-1.5 text-sm leading-tight font-semibold text-soft transition hover:text-ink has-checked:border-current has-checked:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:text-soft/60 has-disabled:line-through sm:min-h-9 ${error ? "border-danger" : ""} ${chosenColor(choice)}`}
          >
            <input
              type="radio"
              name="provenance"
              value={choice}
              checked={value === choice}
              onChange={() => onChange(choice)}
              disabled={!allowed.includes(choice)}
              required={value === null}
              aria-describedby={error ? `${id}-error ${id}-${choice}` : `${id}-${choice}`}
              // The form moves the focus to where the problem is.
              data-error={error && choice === focused ? "" : undefined}
              className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
            />
            <ProvenanceIcon provenance={choice} />
            {t(`composer.provenance.${choice}`)}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {/* In one place, so that nothing moves when another is chosen. */}
      <div className="mt-1.5 grid text-sm text-soft">
        {choices.map((choice) => (
          <p
            key={choice}
            id={`${id}-${choice}`}
            className={`col-start-1 row-start-1 ${choice === value ? "" : "invisible"}`}
          >
            {t(`composer.provenance.${choice}.description`)}
          </p>
        ))}
      </div>
    </fieldset>
  );
}

/** The label of a post whose author can't choose it here. `reason` says why. */
export function FixedProvenance({ provenance, reason }: { provenance: Provenance; reason: string }) {
  const { t } = useText();
  return (
    <p className="flex items-baseline gap-2 text-sm text-soft">
      <span
        className={`inline-flex shrink-0 items-center gap-1.5 font-semibold ${provenance === "human" ? "text-person" : "text-agent"}`}
      >
        <ProvenanceIcon provenance={provenance} />
        {t(`composer.provenance.${provenance}`)}
      </span>
      {reason}
    </p>
  );
}
