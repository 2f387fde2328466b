import { Hourglass } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";

/** Shown to people whose new account waits for an admin's approval. */
export function WaitingForApproval() {
  const { t } = useText();
  return (
    <TaskLayout title={t("signin.waiting")}>
      <p role="status" className="flex gap-3">
        <Hourglass className="mt-0.5 size-5 shrink-0 text-accent" aria-hidden="true" />
        {t("signin.waitingDescription")}
      </p>
      <ButtonLink to="/" className="self-start">
        {t("signin.toFeed")}
      </ButtonLink>
    </TaskLayout>
  );
}
