import { limits } from "@tandem/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentNamesQuery, webhooksQuery } from "../../data/account.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Panel, SkeletonLines } from "./panel.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";

/** The account's webhooks. */
export function WebhooksSection() {
  const { t } = useText();
  const api = useApi();
  const { data: webhooks } = useQuery(webhooksQuery(api));
  const { data: agents = [] } = useQuery(agentNamesQuery(api));
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const hasRoom = webhooks !== undefined && webhooks.length < limits.webhooksPerAccount;
  return (
    <>
      {secret && <SecretPanel secret={secret} onDone={() => setSecret(null)} />}
      <Panel title={t("account.webhooks")} description={t("account.webhooksIntro")}>
        {!webhooks ? (
          <SkeletonLines count={2} />
        ) : webhooks.length === 0 ? (
          <p className="rounded-xl bg-sunken p-4 text-soft">{t("account.noWebhooks")}</p>
        ) : (
          <ul>
            {webhooks.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                agent={agents.find(({ id }) => id === webhook.agentId)}
                onSecret={setSecret}
              />
            ))}
          </ul>
        )}
        {hasRoom && !isAdding && (
          <Button variant="primary" className="self-start" onClick={() => setAdding(true)}>
            {t("account.addWebhook")}
          </Button>
        )}
      </Panel>
      {isAdding && (
        <WebhookForm
          agents={agents}
          onCancel={() => setAdding(false)}
          onCreated={(newSecret) => {
            setAdding(false);
            setSecret(newSecret);
          }}
        />
      )}
    </>
  );
}

/** The signing secret. It is shown only once. */
function SecretPanel({ secret, onDone }: { secret: string; onDone(): void }) {
  const { t } = useText();
  return (
    <div role="status">
      <Panel title={t("account.secret")} description={t("account.secretDescription")}>
        <Code text={secret} title={t("account.signingSecret")} />
        <Button variant="primary" className="self-start" onClick={onDone}>
          {t("account.secretSaved")}
        </Button>
      </Panel>
    </div>
  );
}
