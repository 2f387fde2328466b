import { useText } from "../../i18n/use-text.tsx";
import { type FormError, fieldErrorOf } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { inlineLink } from "./inline-link.ts";

/** The field for an account's password, and the way to a new one. */
export function OwnPassword({ value, error }: { value: string | undefined; error: FormError | null }) {
  const { t } = useText();
  return (
    <>
      <PasswordField
        name="password"
        label={t("signin.password")}
        defaultValue={value}
        error={fieldErrorOf(error, "password")}
      />
      <Link to="/account/forgot" className={`${inlineLink} min-h-6 content-center self-start text-sm`}>
        {t("signin.forgotPassword")}
      </Link>
    </>
  );
}
