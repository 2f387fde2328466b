import { useText } from "../../i18n/use-text.tsx";
import { Field, Select } from "../../ui/field.tsx";
import type { FieldInfo } from "./reference.plain.ts";

interface Props {
  field: FieldInfo;
  value: string | File | undefined;
  onChange(value: string | File | undefined): void;
}

/** The input for a field of an operation, by its type. */
export function ConsoleField({ field, value, onChange }: Props) {
  const { t } = useText();
  const { name, kind, required, choices, description, example } = field;
  const label = required ? t("public.required", { name }) : name;
  const options = kind === "boolean" ? ["true", "false"] : choices;
  if (kind === "file")
    return (
      <Field
        name={name}
        label={label}
        hint={description}
        type="file"
        required={required}
        onChange={({ currentTarget }) => onChange(currentTarget.files?.[0])}
      />
    );
  if (options.length > 0)
    return (
      <Select
        name={name}
        label={label}
        hint={description}
        required={required}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">–</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Select>
    );
  return (
    <Field
      name={name}
      label={label}
      hint={description}
      required={required}
      type={/password/i.test(name) ? "password" : "text"}
      inputMode={kind === "number" ? "numeric" : undefined}
      autoComplete="off"
      spellCheck={false}
      placeholder={example}
      value={String(value ?? "")}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
