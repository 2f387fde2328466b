import type { AuthorizationRequest } from "@tandem/contract/apps";
import { BadgeCheck, CircleHelp } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { WarningBox } from "../../ui/form.tsx";

/** Who the app is, as far as the server knows, and where access goes. `code` is what a device shows. */
export function AppIdentity({ request, code }: { request: AuthorizationRequest; code: string }) {
  const { t } = useText();
  const { app, receiver, redirectHost } = request;
  const Icon = app.isVerified ? BadgeCheck : CircleHelp;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-3">
        <Icon
          className={`mt-0.5 size-5 shrink-0 ${app.isVerified ? "text-accent" : "text-soft"}`}
          aria-hidden="true"
        />
        <p className="theirs min-w-0">
          {app.isVerified
            ? t("apps.verified", { name: app.name, host: app.host ?? "" })
            : t("apps.notVerified", { name: app.name })}
          {redirectHost !== null && <> {t("apps.receivedBy", { host: redirectHost })}</>}
        </p>
      </div>
      {receiver === "this_device" && <WarningBox>{t("apps.thisDevice")}</WarningBox>}
      {receiver === "other_device" && (
        <>
          <p>
            {t("apps.codeShown")} <code className="font-semibold">{shownCode(code)}</code>
          </p>
          <WarningBox>{t("apps.otherDevice")}</WarningBox>
        </>
      )}
    </div>
  );
}

/** With the hyphen that devices show. */
function shownCode(code: string): string {
  const letters = code.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
