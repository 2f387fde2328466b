import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { claimAddress } from "../../shared/addresses.ts";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { PageTitle } from "../../ui/states.tsx";

/** Where a person enters the code that an agent shows. */
export function EnterCodePage() {
  const { t } = useText();
  return (
    <div className="column">
      <PageTitle description={t("agents.enterCodeDescription")}>{t("agents.enterCode")}</PageTitle>
      <div className="card-flush p-4 sm:p-6">
        <CodeForm />
      </div>
    </div>
  );
}

export function CodeForm() {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <Form
      onSubmit={({ code = "" }) => void navigate({ to: claimAddress(code.trim().replace(/\s+/g, "-")) })}
      busy={false}
      error={null}
      submitLabel={t("agents.enterCodeSubmit")}
    >
      <Field
        name="code"
        label={t("agents.code")}
        placeholder="BCDF-GHJK"
        required
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
    </Form>
  );
}
