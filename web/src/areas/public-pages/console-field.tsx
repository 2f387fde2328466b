import { useText } from "../../i18n/use-text.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import type { FieldTold } from "./reference.plain.ts";

interface Props {
  field: FieldTold;
  value: string | File | undefined;
  onValue(value: string | File | undefined): void;
}

/** A field of an operation, in the form that fits what it takes. */
export function FieldInput({ field, value, onValue }: Props) {
  const { t } = useText();
  const { name, kind, required, choices, says, example } = field;
  const label = required ? t("front.required", { name }) : name;
  const options = kind === "boolean" ? ["true", "false"] : choices;
  if (kind === "file")
    return (
      <Field
        name={name}
        label={label}
        hint={says}
        type="file"
        required={required}
        onChange={({ currentTarget }) => onValue(currentTarget.files?.[0])}
      />
    );
  if (options.length > 0)
    return (
      <Choice
        name={name}
        label={label}
        hint={says}
        required={required}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        <option value="">–</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Choice>
    );
  return (
    <Field
      name={name}
      label={label}
      hint={says}
      required={required}
      type={/password/i.test(name) ? "password" : "text"}
      inputMode={kind === "number" ? "numeric" : undefined}
      autoComplete="off"
      spellCheck={false}
      placeholder={example}
      value={String(value ?? "")}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
