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
import { Item, Lines, Mark, Panel } from "./panel.tsx";
import { useSwitchOn } from "./use-enable-push.ts";

/** Notices that come to this device also while no page is open, if one wants that, and on which others they do. */
export function PushPanel() {
  const { t } = useText();
  const { data: pushed } = useQuery(pushSubscriptionsQuery(useApi()));
  const { data: here } = useQuery(browserPushQuery);
  const ready = pushed && here;
  return (
    <Panel title={t("account.push")} says={t("account.pushSays")}>
      <div aria-live="polite">
        {ready ? (
          <State
            here={here}
            mine={pushed.subscriptions.find(({ current }) => current) ?? null}
            applicationServerKey={pushed.applicationServerKey}
          />
        ) : (
          <Lines count={1} />
        )}
      </div>
      {pushed && pushed.subscriptions.length > 0 && (
        <section aria-label={t("account.pushDevices")}>
          <h3 className="font-semibold">{t("account.pushDevices")}</h3>
          <ul>
            {pushed.subscriptions.map((one) => (
              <Device key={one.id} subscription={one} isHere={one.current && here === "subscribed"} />
            ))}
          </ul>
        </section>
      )}
    </Panel>
  );
}

/** On is what both the browser and the service know of. */
function State({
  here,
  mine,
  applicationServerKey,
}: {
  here: BrowserPushState;
  mine: PushSubscription | null;
  applicationServerKey: string;
}) {
  const { t } = useText();
  if (here === "unsupported")
    return <Told title={t("account.pushCannot")}>{t("account.pushCannotSays")}</Told>;
  if (here === "denied") return <Told title={t("account.pushDenied")}>{t("account.pushDeniedSays")}</Told>;
  return here === "subscribed" && mine ? (
    <On mine={mine} />
  ) : (
    <Off applicationServerKey={applicationServerKey} />
  );
}

function Told({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-xl bg-sunken p-4">
      <p className="font-semibold">{title}</p>
      <p className="mt-1 text-soft">{children}</p>
    </div>
  );
}

function Off({ applicationServerKey }: { applicationServerKey: string }) {
  const { t } = useText();
  const on = useSwitchOn(applicationServerKey);
  return (
    <Button look="primary" onClick={() => on.mutate()} busy={on.isPending}>
      {t("account.pushOn")}
    </Button>
  );
}

function On({ mine: { id } }: { mine: PushSubscription }) {
  const { t } = useText();
  const { show } = useToasts();
  const off = useEnd(id, unsubscribe);
  const test = useAction((api) => api.testPush({ id }), { onSuccess: () => show(t("account.testSent")) });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="flex-1 basis-full font-medium sm:basis-40">{t("account.pushIsOn")}</p>
      <Button onClick={() => test.mutate()} busy={test.isPending}>
        {t("account.testWebhook")}
      </Button>
      <Button onClick={() => off.mutate()} busy={off.isPending}>
        {t("account.pushOff")}
      </Button>
    </div>
  );
}

/** Nothing is pushed there any more. */
function useEnd(id: number, after: () => Promise<void> = async () => {}) {
  const queryClient = useQueryClient();
  return useAction((api) => api.endPushSubscription({ id }), {
    onSuccess: async () => {
      await after();
      return queryClient.invalidateQueries({ queryKey: ["push"] });
    },
  });
}

function Device({ subscription, isHere }: { subscription: PushSubscription; isHere: boolean }) {
  const { t } = useText();
  const { id, createdAt, failingSince } = subscription;
  const device = subscription.device ?? "";
  const { program, system } = deviceOf(device);
  const name = system ? t("account.device", { program, system }) : program;
  const Icon = isHandheld(device) ? Smartphone : Monitor;
  const end = useEnd(id);
  return (
    <Item
      icon={<Icon className="size-5" aria-hidden="true" />}
      title={name}
      marks={isHere && <Mark good>{t("account.thisSession")}</Mark>}
      says={
        <>
          {t("account.on")} <Time at={createdAt} />
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
        !isHere && (
          <Button
            size="small"
            className="min-h-10"
            onClick={() => end.mutate()}
            busy={end.isPending}
            aria-label={t("account.remove", { name })}
          >
            {t("account.removePress")}
          </Button>
        )
      }
    />
  );
}
