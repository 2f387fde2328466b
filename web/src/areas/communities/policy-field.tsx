import { type AiPolicy, aiPolicies } from "@tandem/contract/community-names";
import { useText } from "../../i18n/use-text.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";

/** What AI content a community takes. */
export function PolicyField({ value, onChange }: { value: AiPolicy; onChange(policy: AiPolicy): void }) {
  const { t } = useText();
  return (
    <RadioGroup
      legend={t("communities.policy")}
      options={aiPolicies.map((policy) => ({
        value: policy,
        label: t(`communities.policy.${policy}`),
        hint: t(`communities.policy.${policy}.description`),
      }))}
      selected={value}
      onSelect={onChange}
    />
  );
}
