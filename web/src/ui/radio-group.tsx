import { type ReactNode, useId } from "react";

interface Option<V extends string> {
  value: V;
  label: ReactNode;
  hint?: string;
}

/** Radio buttons in boxes, all visible at once. */
export function RadioGroup<V extends string>({
  legend,
  description,
  options,
  selected,
  onSelect,
  singleRow = false,
}: {
  legend: string;
  description?: string;
  options: readonly Option<V>[];
  selected: V | undefined;
  onSelect(value: V): void;
  /** Whether the options share one row on phones too. */
  singleRow?: boolean;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      {description && <p className="text-sm text-soft">{description}</p>}
      <div
        className={`grid gap-2 ${singleRow ? "auto-cols-fr grid-flow-col" : options.length === 4 ? "sm:grid-cols-2" : "sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]"}`}
      >
        {options.map(({ value, label, hint }) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-xl border border-edge/50 px-3 py-2 sm:px-4 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === selected}
              onChange={() => onSelect(value)}
              className="size-4 shrink-0"
            />
            <span>
              <span className="flex items-center gap-2 font-medium">{label}</span>
              {hint && <span className="block text-sm text-soft">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
