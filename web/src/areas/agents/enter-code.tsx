import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { claimAddress } from "../../shared/addresses.ts";
import { CodeForm } from "../../ui/code-form.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";

/** Where a person enters the code that an agent shows. */
export function EnterCodePage() {
  const { t } = useText();
  return <EnterCode title={t("agents.enterCode")} description={t("agents.enterCodeDescription")} />;
}

export function EnterCode({ title, description }: { title: string; description: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <TaskLayout title={title} description={description}>
      <CodeForm label={t("agents.code")} onSubmit={(code) => void navigate({ to: claimAddress(code) })} />
    </TaskLayout>
  );
}
