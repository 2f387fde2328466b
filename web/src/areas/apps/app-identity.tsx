import type { AuthorizationRequest } from "@tandem/contract/apps";
import { BadgeCheck, CircleHelp } from "lucide-react";
import type { TextKey } from "../../i18n/keys.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { shownCode } from "../../shared/shown-code.ts";
import { WarningBox } from "../../ui/form.tsx";

/** Who the app is, as far as the server knows, and where access goes. `code` is what a device shows. */
export function AppIdentity({ request, code }: { request: AuthorizationRequest; code: string }) {
  const { t } = useText();
  const { app, receiver, redirectHost } = request;
  const warning = warningFor(request);
  const Icon = app.isVerified ? BadgeCheck : CircleHelp;
  const parts = {
    app: <bdi className="wrap-anywhere">{app.name}</bdi>,
    host: <Host name={app.host} />,
    receiver: <Host name={redirectHost} />,
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-3">
        <Icon
          className={`mt-0.5 size-5 shrink-0 ${app.isVerified ? "text-accent" : "text-danger"}`}
          aria-hidden="true"
        />
        <p className="min-w-0">
          <RichText text={app.isVerified ? "apps.verified" : "apps.notVerified"} parts={parts} />{" "}
          {redirectHost !== null && <RichText text="apps.receivedBy" parts={parts} />}
        </p>
      </div>
      {receiver === "other_device" && (
        <p>
          {t("apps.codeShown")} <code className="font-semibold whitespace-nowrap">{shownCode(code)}</code>
        </p>
      )}
      {warning && (
        <WarningBox>
          <RichText text={warning} parts={parts} />
        </WarningBox>
      )}
    </div>
  );
}

function Host({ name }: { name: string | null }) {
  return <bdi className="font-bold wrap-anywhere">{name}</bdi>;
}

/** None if the website that describes the app is the one that gets access. */
function warningFor({ app, receiver, redirectHost }: AuthorizationRequest): TextKey | null {
  if (receiver === "other_device") return "apps.otherDevice";
  if (receiver === "this_device") return "apps.thisDevice";
  if (!app.isVerified) return "apps.unknownWebsite";
  return app.host === redirectHost ? null : "apps.otherWebsite";
}
