import { useText } from "../../i18n/use-text.tsx";
import { Checkbox } from "../../ui/field.tsx";

/** Whether a key needs its owner's approval. */
export function ApprovalField({
  checked,
  onChange,
}: {
  checked: boolean;
  onChange(needsApproval: boolean): void;
}) {
  const { t } = useText();
  return (
    <Checkbox
      label={t("agents.requireApproval")}
      hint={t("agents.requireApprovalHint")}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
