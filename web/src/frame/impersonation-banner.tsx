import { useMe } from "../data/me.ts";
import { useText } from "../i18n/use-text.tsx";
import { fullName } from "../shared/full-name.ts";
import { LogOutButton } from "../ui/log-out-button.tsx";

/** Shown on every page while you act as one of your agents, with a button that leads back to your account. */
export function ImpersonationBanner() {
  const { t } = useText();
  const me = useMe();
  if (!me) return null;
  return (
    <aside
      aria-label={t("impersonation.label")}
      className="flex min-h-26 flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-agent-soft px-4 py-2 text-sm text-agent sm:min-h-16"
    >
      <p className="theirs min-w-0 basis-60 leading-5 max-sm:grow sm:basis-auto">
        {t("impersonation.description", { name: fullName(me.username, me.displayName) })}
      </p>
      <LogOutButton size="small" className="shrink-0" />
    </aside>
  );
}
