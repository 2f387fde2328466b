import { type Scope, scopeNames } from "@tandem/contract/scopes";
import { useText } from "../../i18n/use-text.tsx";
import { Checkbox } from "../../ui/field.tsx";

/** Selects what a key may write. Reading is always allowed. */
export function ScopesField({
  offered = scopeNames,
  selected,
  onChange,
}: {
  /** All of them by default. */
  offered?: readonly Scope[];
  selected: readonly Scope[];
  onChange(scopes: Scope[]): void;
}) {
  const { t } = useText();
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(scopeNames.filter((name) => (name === scope ? isOn : selected.includes(name))));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">{t("agents.scopes")}</legend>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          label={t(`agents.scope.${scope}`)}
          hint={scope}
          checked={selected.includes(scope)}
          onChange={(event) => toggle(scope, event.target.checked)}
        />
      ))}
      <p className="text-sm text-soft">{t("agents.alwaysReads")}</p>
    </fieldset>
  );
}
