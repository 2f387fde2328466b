import { limits } from "@tandem/contract/limits";
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { IconButton } from "./button.tsx";
import { Field } from "./field.tsx";

/** A password field with a button to reveal the value. `isNew` for choosing a new password. */
export function PasswordField({
  isNew = false,
  className = "",
  ...rest
}: ComponentProps<typeof Field> & { isNew?: boolean }) {
  const { t } = useText();
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <div className={`relative ${className}`}>
      <Field
        type={isVisible ? "text" : "password"}
        autoComplete={isNew ? "new-password" : "current-password"}
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={limits.password.max}
        {...(isNew && {
          minLength: limits.password.min,
          hint: t("common.passwordRule", { min: limits.password.min }),
        })}
        {...rest}
      />
      <IconButton
        label={t(isVisible ? "common.hidePassword" : "common.showPassword")}
        className="absolute end-1 top-[1.6875rem]"
        onClick={() => setVisible(!isVisible)}
      >
        <Icon className="size-4.5" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
