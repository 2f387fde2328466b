import { type ReactNode, useId } from "react";

interface Option<V extends string> {
  value: V;
  says: ReactNode;
  hint?: string;
}

/** One of few, each in a box of its own: all are seen at once, and arrow keys walk them. */
export function ChoiceRow<V extends string>({
  legend,
  says,
  options,
  chosen,
  onChoose,
  short = false,
}: {
  legend: string;
  says?: string;
  options: readonly Option<V>[];
  chosen: V | undefined;
  onChoose(value: V): void;
  /** Whether they stand in one line on a phone, too. */
  short?: boolean;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-semibold">{legend}</legend>
      {says && <p className="text-sm text-soft">{says}</p>}
      <div className={`grid auto-cols-fr gap-2 ${short ? "grid-flow-col" : "sm:grid-flow-col"}`}>
        {options.map(({ value, says, hint }) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-xl border border-edge/50 px-3 py-2 sm:px-4 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => onChoose(value)}
              className="size-4 shrink-0"
            />
            <span>
              <span className="flex items-center gap-2 font-medium">{says}</span>
              {hint && <span className="block text-sm text-soft">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
