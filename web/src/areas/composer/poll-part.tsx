import { limits } from "@tandem/contract/limits";
import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { Checkbox, Field, TextField } from "../../ui/field.tsx";
import { fromLocalInputValue, type PollText, pollProblem, toLocalInputValue } from "./poll-text.ts";

/** A poll: its options, and until when one can vote. */
export function PollPart({
  poll,
  onChange,
  onRemove,
  readOnly,
  error,
}: {
  poll: PollText;
  onChange(poll: PollText): void;
  onRemove(): void;
  readOnly: boolean;
  /** What is wrong, shown at the field that it is about. */
  error: string | null;
}) {
  const { t } = useText();
  const fields = useRef<HTMLFieldSetElement>(null);
  const { options, closesAt, isMultiple } = poll;
  const at = pollProblem(poll)?.at ?? "closesAt";
  const { min, max } = limits.pollOptions;
  const setOption = (position: number, text: string) =>
    onChange({ ...poll, options: options.map((option, i) => (i === position ? text : option)) });
  const focusOption = (position: number) =>
    // After React has changed the fields.
    requestAnimationFrame(() => fields.current?.querySelectorAll("input")[position]?.focus());
  return (
    <fieldset ref={fields} className="relative flex flex-col gap-3 rounded-xl border p-3">
      <legend className="sr-only">{t("composer.poll")}</legend>
      <div className="-mb-2 flex items-center justify-between">
        <p aria-hidden="true" className="text-sm font-semibold text-soft">
          {t("composer.poll")}
        </p>
        <IconButton
          label={t("composer.poll.remove")}
          className="-me-2 -mt-2"
          disabled={readOnly}
          onClick={onRemove}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      {options.map((text, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option has no other identity
        <div key={position} className="relative">
          <TextField
            label={t("composer.poll.option", { number: position + 1 })}
            name={`option-${position}`}
            autoComplete="off"
            className={options.length > min ? "[&_input]:pe-11" : ""}
            value={text}
            readOnly={readOnly}
            error={at === position ? error : null}
            onValueChange={(value) => setOption(position, value)}
          />
          {options.length > min && (
            <IconButton
              label={t("composer.poll.removeOption", { number: position + 1 })}
              className="absolute end-0.5 top-[1.5625rem]"
              disabled={readOnly}
              onClick={() => {
                onChange({ ...poll, options: options.filter((_, i) => i !== position) });
                focusOption(Math.min(position, options.length - 2));
              }}
            >
              <X className="size-4" aria-hidden="true" />
            </IconButton>
          )}
          <div className="text-end empty:hidden">
            <CharacterCounter text={text} max={limits.pollOption} />
          </div>
        </div>
      ))}
      {options.length < max && (
        <Button
          size="small"
          className="min-h-10 self-start"
          disabled={readOnly}
          onClick={() => {
            onChange({ ...poll, options: [...options, ""] });
            focusOption(options.length);
          }}
        >
          <Plus className="size-4" aria-hidden="true" />
          {t("composer.poll.addOption")}
        </Button>
      )}
      <Checkbox
        label={t("composer.poll.multiple")}
        checked={isMultiple}
        disabled={readOnly}
        onChange={({ target }) => onChange({ ...poll, isMultiple: target.checked })}
      />
      <Field
        label={t("composer.poll.closesAt")}
        hint={t("composer.poll.hint")}
        type="datetime-local"
        required
        value={toLocalInputValue(closesAt)}
        readOnly={readOnly}
        error={at === "closesAt" ? error : null}
        onChange={({ target }) => onChange({ ...poll, closesAt: fromLocalInputValue(target.value) })}
      />
    </fieldset>
  );
}
