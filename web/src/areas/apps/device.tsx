import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { CodeForm } from "../../ui/code-form.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";

/** Takes the code that a device shows. */
export function DeviceView() {
  const { t } = useText();
  const navigate = useNavigate();
  const { user_code: given } = useSearch();
  return (
    <TaskLayout title={t("apps.deviceTitle")} description={t("apps.deviceDescription")}>
      <CodeForm
        label={t("apps.code")}
        defaultValue={given?.slice(0, 20)}
        onSubmit={(code) => void navigate({ to: `/connect/${code}` })}
      />
    </TaskLayout>
  );
}
