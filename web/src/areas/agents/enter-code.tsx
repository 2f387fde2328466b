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

export function EnterCode({
  title,
  description,
  code,
}: {
  title: string;
  description: string;
  /** The code that was entered before. */
  code?: string;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <TaskLayout title={title} description={description}>
      <CodeForm
        label={t("agents.code")}
        defaultValue={code}
        onSubmit={(entered) => void navigate({ to: claimAddress(entered) })}
      />
    </TaskLayout>
  );
}
