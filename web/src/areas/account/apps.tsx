import type { App } from "@tandem/contract/apps";
import { TOOLS_LOGIN_PATH } from "@tandem/contract/oauth";
import type { Key } from "@tandem/contract/resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AppWindow } from "lucide-react";
import { useState } from "react";
import { agentsQuery, invalidateAgents, keysQuery } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi, useApp } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { Badge, ListItem, Panel, SkeletonLines } from "./panel.tsx";

/** The apps that can act for the reader or their agents. */
export function AppsSection() {
  const { t } = useText();
  const address = `${useApp().baseUrl}${TOOLS_LOGIN_PATH}`;
  const { data: keys } = useQuery(keysQuery(useApi()));
  const connected = keys?.flatMap((key) => (key.app ? [{ ...key, app: key.app }] : []));
  return (
    <Panel title={t("account.apps")} description={t("account.appsIntro")}>
      <p>
        {t("account.connectApp")} <code className="font-semibold break-all">{address}</code>
      </p>
      {!connected && <SkeletonLines />}
      {connected?.length === 0 && <p className="text-soft">{t("account.noApps")}</p>}
      {connected && connected.length > 0 && (
        <ul>
          {connected.map((key) => (
            <AppItem key={key.id} grant={key} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AppItem({ grant }: { grant: Key & { app: App } }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const me = useMe();
  const { data: agents = [] } = useQuery(agentsQuery(useApi()));
  const [isRevoking, setRevoking] = useState(false);
  const { id, app, agentId, name, paused, lastUsedAt, expiresAt } = grant;
  const revoke = useAction((api) => api.revokeKey({ id }), {
    onSuccess: () => {
      setRevoking(false);
      invalidateAgents(queryClient);
      show(t("account.appRevoked", { name }));
    },
  });
  const account = agents.find((agent) => agent.id === agentId)?.username ?? me?.username ?? "";
  return (
    <>
      <ListItem
        icon={<AppWindow className="size-5" aria-hidden="true" />}
        title={name}
        badges={
          <>
            {app.isVerified && <Badge good>{app.host}</Badge>}
            {paused && <Badge bad>{t("account.appPaused")}</Badge>}
          </>
        }
        description={
          <>
            {t("account.appActsAs", { name: account })}
            {lastUsedAt && (
              <>
                {" · "}
                {t("account.lastUsed")} <Time at={lastUsedAt} />
              </>
            )}
            {expiresAt && (
              <>
                {" · "}
                {t("account.appEnds")} <Time at={expiresAt} />
              </>
            )}
          </>
        }
        actions={
          <Button
            size="small"
            variant="danger"
            onClick={() => setRevoking(true)}
            aria-label={t("account.revokeAppNamed", { name })}
          >
            {t("account.revokeApp")}
          </Button>
        }
      />
      <LazyConfirmDialog
        open={isRevoking}
        onClose={() => setRevoking(false)}
        onConfirm={() => revoke.mutate()}
        busy={revoke.isPending}
        title={t("account.revokeAppNamed", { name })}
        description={t("account.revokeAppDescription")}
        action={t("account.revokeApp")}
      />
    </>
  );
}
