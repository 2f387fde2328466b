import type { PushSubscription } from "@tandem/contract/push";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import {
  type BrowserPushState,
  browserPushQuery,
  pushSubscriptionsQuery,
  unsubscribe,
} from "../../data/push.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { deviceOf, isHandheld } from "./device.ts";
import { Badge, ListItem, Panel, SkeletonLines } from "./panel.tsx";
import { useEnablePush } from "./use-enable-push.ts";

/** Turns push notifications on or off for this browser, and lists the other browsers that have them. */
export function PushPanel() {
  const { t } = useText();
  const { data: pushed } = useQuery(pushSubscriptionsQuery(useApi()));
  const { data: browserState } = useQuery(browserPushQuery);
  const isReady = pushed && browserState;
  return (
    <Panel title={t("account.push")} description={t("account.pushDescription")}>
      <div aria-live="polite">
        {isReady ? (
          <PushState
            browserState={browserState}
            subscription={pushed.subscriptions.find(({ current }) => current) ?? null}
            applicationServerKey={pushed.applicationServerKey}
          />
        ) : (
          <SkeletonLines count={1} />
        )}
      </div>
      {pushed && pushed.subscriptions.length > 0 && (
        <section aria-label={t("account.pushDevices")}>
          <h3 className="font-semibold">{t("account.pushDevices")}</h3>
          <ul>
            {pushed.subscriptions.map((subscription) => (
              <DeviceItem
                key={subscription.id}
                subscription={subscription}
                isCurrent={subscription.current && browserState === "subscribed"}
              />
            ))}
          </ul>
        </section>
      )}
    </Panel>
  );
}

/** Push is on only if both the browser and the server have the subscription. */
function PushState({
  browserState,
  subscription,
  applicationServerKey,
}: {
  browserState: BrowserPushState;
  subscription: PushSubscription | null;
  applicationServerKey: string;
}) {
  const { t } = useText();
  if (browserState === "unsupported")
    return <Notice title={t("account.pushUnsupported")}>{t("account.pushUnsupportedDescription")}</Notice>;
  if (browserState === "denied")
    return <Notice title={t("account.pushDenied")}>{t("account.pushDeniedDescription")}</Notice>;
  return browserState === "subscribed" && subscription ? (
    <PushOn subscription={subscription} />
  ) : (
    <PushOff applicationServerKey={applicationServerKey} />
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-xl bg-sunken p-4">
      <p className="font-semibold">{title}</p>
      <p className="mt-1 text-soft">{children}</p>
    </div>
  );
}

function PushOff({ applicationServerKey }: { applicationServerKey: string }) {
  const { t } = useText();
  const enable = useEnablePush(applicationServerKey);
  return (
    <Button variant="primary" onClick={() => enable.mutate()} busy={enable.isPending}>
      {t("account.pushOn")}
    </Button>
  );
}

function PushOn({ subscription: { id } }: { subscription: PushSubscription }) {
  const { t } = useText();
  const { show } = useToasts();
  const disable = useEndSubscription(id, unsubscribe);
  const test = useAction((api) => api.testPush({ id }), { onSuccess: () => show(t("account.testSent")) });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="flex-1 basis-full font-medium sm:basis-40">{t("account.pushIsOn")}</p>
      <Button onClick={() => test.mutate()} busy={test.isPending}>
        {t("account.testWebhook")}
      </Button>
      <Button onClick={() => disable.mutate()} busy={disable.isPending}>
        {t("account.pushOff")}
      </Button>
    </div>
  );
}

/** Ends a push subscription. */
function useEndSubscription(id: number, after: () => Promise<void> = async () => {}) {
  const queryClient = useQueryClient();
  return useAction((api) => api.endPushSubscription({ id }), {
    onSuccess: async () => {
      await after();
      return queryClient.invalidateQueries({ queryKey: ["push"] });
    },
  });
}

function DeviceItem({ subscription, isCurrent }: { subscription: PushSubscription; isCurrent: boolean }) {
  const { t } = useText();
  const { id, createdAt, failingSince } = subscription;
  const device = subscription.device ?? "";
  const { program, system } = deviceOf(device);
  const name = system ? t("account.device", { program, system }) : program;
  const Icon = isHandheld(device) ? Smartphone : Monitor;
  const end = useEndSubscription(id);
  return (
    <ListItem
      icon={<Icon className="size-5" aria-hidden="true" />}
      title={name}
      badges={isCurrent && <Badge good>{t("account.thisSession")}</Badge>}
      description={
        <>
          {t("account.turnedOn")} <Time at={createdAt} />
          {failingSince && (
            <>
              {" · "}
              <span className="text-danger">
                {t("account.failingSince")} <Time at={failingSince} />
              </span>
            </>
          )}
        </>
      }
      actions={
        !isCurrent && (
          <Button
            size="small"
            className="min-h-10"
            onClick={() => end.mutate()}
            busy={end.isPending}
            aria-label={t("account.remove", { name })}
          >
            {t("account.removeSubmit")}
          </Button>
        )
      }
    />
  );
}
