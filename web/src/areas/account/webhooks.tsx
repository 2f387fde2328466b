import { limits } from "@tandem/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentNamesQuery, webhooksQuery } from "../../data/account.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Lines, Panel } from "./panel.tsx";
import { NewWebhook } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

/** Notices that are sent to a server of one's own. */
export function WebhooksSection() {
  const { t } = useText();
  const api = useApi();
  const { data: webhooks } = useQuery(webhooksQuery(api));
  const { data: agents = [] } = useQuery(agentNamesQuery(api));
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const room = webhooks !== undefined && webhooks.length < limits.webhooksPerAccount;
  return (
    <>
      {secret && <Secret secret={secret} onKept={() => setSecret(null)} />}
      <Panel title={t("account.webhooks")} says={t("account.webhooksLong")}>
        {!webhooks ? (
          <Lines count={2} />
        ) : webhooks.length === 0 ? (
          <p className="rounded-xl bg-sunken p-4 text-soft">{t("account.noWebhooks")}</p>
        ) : (
          <ul>
            {webhooks.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                agent={agents.find(({ id }) => id === webhook.agentId)?.username ?? null}
                onSecret={setSecret}
              />
            ))}
          </ul>
        )}
        {room && !open && (
          <Button look="primary" className="self-start" onClick={() => setOpen(true)}>
            {t("account.addWebhook")}
          </Button>
        )}
      </Panel>
      {open && (
        <NewWebhook
          agents={agents}
          onCancel={() => setOpen(false)}
          onMade={(made) => {
            setOpen(false);
            setSecret(made);
          }}
        />
      )}
    </>
  );
}

/** What deliveries are signed with. It is shown this once. */
function Secret({ secret, onKept }: { secret: string; onKept(): void }) {
  const { t } = useText();
  return (
    <div role="status">
      <Panel title={t("account.secret")} says={t("account.secretSays")}>
        <Code text={secret} title={t("account.signedWith")} />
        <Button look="primary" className="self-start" onClick={onKept}>
          {t("account.secretKept")}
        </Button>
      </Panel>
    </div>
  );
}
