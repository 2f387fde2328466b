import { useText } from "../i18n/use-text.tsx";
import { shownCode } from "../shared/shown-code.ts";
import { Field } from "./field.tsx";
import { Form } from "./form.tsx";

/** Takes a code that a device or an agent shows. */
export function CodeForm({
  label,
  defaultValue = "",
  onSubmit,
}: {
  label: string;
  defaultValue?: string;
  /** Takes the code as it is shown, however it was typed. */
  onSubmit(code: string): void;
}) {
  const { t } = useText();
  return (
    <Form
      onSubmit={({ code = "" }) => onSubmit(shownCode(code))}
      busy={false}
      error={null}
      submitLabel={t("common.continue")}
      fullWidth
    >
      <Field
        name="code"
        label={label}
        defaultValue={defaultValue}
        placeholder="BCDF-GHJK"
        pattern="[^A-Za-z]*([A-Za-z][^A-Za-z]*){8}"
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
    </Form>
  );
}
