import { limits } from "@tandem/contract/limits";
import type { ComponentProps } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { usernamePattern } from "../../shared/username.plain.ts";
import { Field } from "../../ui/field.tsx";

/** The username of an agent that is created. */
export function UsernameField(props: Omit<ComponentProps<typeof Field>, "label" | "hint">) {
  const { t } = useText();
  return (
    <Field
      name="username"
      label={t("agents.username")}
      hint={t("agents.usernameHint", limits.username)}
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      minLength={limits.username.min}
      maxLength={limits.username.max}
      pattern={usernamePattern}
      title={t("agents.usernameInvalid")}
      {...props}
    />
  );
}
