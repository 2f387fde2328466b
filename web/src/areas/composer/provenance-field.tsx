import type { Provenance } from "@tandem/contract/provenance";
import { useText } from "../../i18n/use-text.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";

const choices = ["human", "ai_assisted", "ai_generated"] as const satisfies Provenance[];

/** The author's statement of how much AI was involved. Readers see it as a badge. */
export function ProvenanceField({
  value,
  onChange,
}: {
  value: Provenance;
  onChange(value: Provenance): void;
}) {
  const { t } = useText();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">{t("composer.provenance")}</legend>
      {choices.map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer items-start gap-3 rounded-xl border p-3 transition hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name="provenance"
            value={choice}
            checked={value === choice}
            onChange={() => onChange(choice)}
            className="mt-1 size-4 shrink-0"
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-2 font-semibold">
              {t(`composer.provenance.${choice}`)}
              <ProvenanceBadge provenance={choice} provenanceBasis="declared" short />
            </span>
            <span className="block text-sm text-soft">{t(`composer.provenance.${choice}.description`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
