import type { Agent } from "@tandem/contract/resources";
import type { Webhook } from "@tandem/contract/webhooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Badge } from "./panel.tsx";

interface Props {
  webhook: Webhook;
  /** Whose notifications it receives, if not the reader's own. */
  agent: Pick<Agent, "username" | "displayName"> | undefined;
  onSecret(secret: string | null): void;
}

export function WebhookItem({ webhook, agent, onSecret }: Props) {
  const { t, locale } = useText();
  const { id, url, types, state, enabled, keyId, failingSince } = webhook;
  const [isLogOpen, setLogOpen] = useState(false);
  const { edit, test, rotate } = useWebhookActions(id, onSecret, () => setLogOpen(true));
  return (
    <li className="flex flex-col gap-2 border-t py-4 first:border-t-0">
      <p className="theirs flex flex-wrap items-center gap-2 font-semibold">
        {url}
        <Badge good={state === "working" && !failingSince} bad={state === "gone" || state === "failing"}>
          {t(`account.webhook.${state}`)}
        </Badge>
      </p>
      <p className="text-sm text-soft">
        {agent
          ? t("account.webhookOf", { name: fullName(agent.username, agent.displayName) })
          : t("account.webhookOwn")}
        {" · "}
        {types
          ? new Intl.ListFormat(locale, { type: "unit" }).format(
              types.map((type) => t(`account.type.${type}`)),
            )
          : t("account.allTypes")}
        {keyId !== null && ` · ${t("account.webhookByKey")}`}
        {failingSince && (
          <>
            {" · "}
            <span className="text-danger">
              {t("account.failingSince")} <Time at={failingSince} />
            </span>
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {enabled && (
          <Button size="small" className="min-h-10" onClick={() => test.mutate()} busy={test.isPending}>
            {t("account.testWebhook")}
          </Button>
        )}
        <Button
          size="small"
          className="min-h-10"
          aria-expanded={isLogOpen}
          onClick={() => setLogOpen(!isLogOpen)}
        >
          {t("account.deliveries")}
        </Button>
        <Button
          size="small"
          className="min-h-10"
          onClick={() => edit.mutate({ enabled: !enabled })}
          busy={edit.isPending}
        >
          {t(enabled ? "account.disable" : "account.enable")}
        </Button>
        <Button size="small" className="min-h-10" onClick={() => rotate.mutate()} busy={rotate.isPending}>
          {t("account.rotate")}
        </Button>
        <DeleteWebhookButton id={id} url={url} />
      </div>
      {isLogOpen && <Deliveries id={id} enabled={enabled} />}
    </li>
  );
}

function useWebhookActions(id: number, onSecret: Props["onSecret"], onTest: () => void) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
  return {
    edit: useAction((api, change: { enabled: boolean }) => api.editWebhook({ id, ...change }), {
      onSuccess: refresh,
    }),
    test: useAction((api) => api.testWebhook({ id }), {
      onSuccess: () => {
        onTest();
        show(t("account.testSent"));
        return queryClient.invalidateQueries({ queryKey: ["webhooks", "deliveries", id] });
      },
    }),
    rotate: useAction((api) => api.rotateWebhookSecret({ id }), {
      onSuccess: ({ secret }) => onSecret(secret),
    }),
  };
}

function DeleteWebhookButton({ id, url }: { id: number; url: string }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useAction((api) => api.deleteWebhook({ id }), {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] }),
  });
  return (
    <>
      <Button size="small" variant="danger" className="min-h-10" onClick={() => setConfirming(true)}>
        {t("common.delete")}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("account.deleteWebhook")}
        description={t("account.deleteWebhookDescription", { url })}
        action={t("common.delete")}
      />
    </>
  );
}
