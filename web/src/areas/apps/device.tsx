import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

/** Takes the code that a device shows. */
export function DeviceView() {
  const { t } = useText();
  const navigate = useNavigate();
  const { user_code: given } = useSearch();
  return (
    <div className="mx-auto flex max-w-md flex-col gap-6 px-4 pt-8 sm:pt-14">
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-bold">{t("apps.deviceTitle")}</h1>
        <p className="text-soft">{t("apps.deviceDescription")}</p>
      </header>
      <div className="card p-5 sm:p-6">
        <Form
          onSubmit={({ code = "" }) => void navigate({ to: `/connect/${code.replace(/[^A-Za-z]/g, "")}` })}
          busy={false}
          error={null}
          submitLabel={t("apps.continue")}
          fullWidth
        >
          <Field
            name="code"
            label={t("apps.code")}
            defaultValue={given?.slice(0, 20) ?? ""}
            placeholder="BCDF-GHJK"
            pattern="\s*[A-Za-z]{4}[\s\-]?[A-Za-z]{4}\s*"
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Form>
      </div>
    </div>
  );
}
