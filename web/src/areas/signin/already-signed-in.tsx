import type { User } from "@tandem/contract/resources";
import { useText } from "../../i18n/use-text.tsx";
import { fullName } from "../../shared/full-name.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { LogOutButton } from "../../ui/log-out-button.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";

/** Shown to readers who are signed in already. */
export function AlreadySignedIn({ me, next }: { me: User; next: string }) {
  const { t } = useText();
  const [path = "/", query] = next.split("?");
  return (
    <TaskLayout
      title={t("signin.loggedIn")}
      description={t("signin.loggedInDescription", { name: fullName(me.username, me.displayName) })}
    >
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={path} search={Object.fromEntries(new URLSearchParams(query))} variant="primary">
          {t("common.continue")}
        </ButtonLink>
        <LogOutButton />
      </div>
    </TaskLayout>
  );
}
