import type { User } from "@tandem/contract/resources";
import { useText } from "../../i18n/use-text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { LogOutButton } from "../../ui/log-out-button.tsx";
import { Shell } from "./layout.tsx";

/** For who is signed in already. */
export function Inside({ me, next }: { me: User; next: string }) {
  const { t } = useText();
  const [path = "/", query] = next.split("?");
  return (
    <Shell title={t("signin.inside")} says={t("signin.insideSays", { name: me.username })}>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={path} search={Object.fromEntries(new URLSearchParams(query))} look="primary">
          {t("common.continue")}
        </ButtonLink>
        <LogOutButton />
      </div>
    </Shell>
  );
}
