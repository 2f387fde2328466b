import type { App } from "@tandem/contract/apps";
import { TOOLS_LOGIN_PATH } from "@tandem/contract/oauth";
import type { Key } from "@tandem/contract/resources";
import { isScope, type Scope } from "@tandem/contract/scopes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AppWindow } from "lucide-react";
import { useState } from "react";
import { agentsQuery, invalidateAgents, keysQuery } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { Deadline, Time, useNow } from "../../ui/time.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";
import { Badge, ListItem, Panel, SkeletonLines } from "./panel.tsx";

/** The apps that can act for the reader or their agents, and how to connect one. */
export function AppsSection() {
  const { t } = useText();
  const address = `${useBaseUrl()}${TOOLS_LOGIN_PATH}`;
  const grants = useGrants();
  return (
    <>
      <Panel title={t("account.appsWithAccess")} description={t("account.appsIntro")}>
        {!grants && <SkeletonLines />}
        {grants?.length === 0 && <p className="rounded-xl bg-sunken p-4 text-soft">{t("account.noApps")}</p>}
        {grants && grants.length > 0 && (
          <ul>
            {grants.map((grant) => (
              <AppItem key={grant.id} grant={grant} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title={t("account.connectApp")} description={t("account.connectAppDescription")}>
        <Code title={t("account.connectAppAddress")} text={address} />
      </Panel>
    </>
  );
}

/** A key that an app has. */
type Grant = Key & { app: App };

/** The grants that haven't ended; undefined while they load. */
function useGrants(): Grant[] | undefined {
  const now = useNow();
  const { data: keys } = useQuery(keysQuery(useApi()));
  const isLive = ({ expiresAt }: Key) => expiresAt === null || Date.parse(expiresAt) > now;
  return keys?.flatMap((key) => (key.app && isLive(key) ? [{ ...key, app: key.app }] : []));
}

function AppItem({ grant }: { grant: Grant }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const me = useMe();
  const { data: agents = [] } = useQuery(agentsQuery(useApi()));
  const [isRevoking, setRevoking] = useState(false);
  const { id, app, agentId, name, paused, createdAt, lastUsedAt, expiresAt } = grant;
  const revoke = useAction((api) => api.revokeKey({ id }), {
    onSuccess: () => {
      setRevoking(false);
      invalidateAgents(queryClient);
      show(t("account.appRevoked", { name }));
    },
  });
  const account = agents.find((agent) => agent.id === agentId) ?? me;
  return (
    <>
      <ListItem
        icon={<AppWindow className="size-5" aria-hidden="true" />}
        title={<bdi>{name}</bdi>}
        badges={
          <>
            <Badge good={app.isVerified}>
              {t(app.isVerified ? "account.appVerified" : "account.appNotVerified")}
            </Badge>
            {paused && <Badge bad>{t("account.appPaused")}</Badge>}
          </>
        }
        description={
          <>
            {app.host !== null && <span className="block wrap-anywhere text-ink">{app.host}</span>}
            {account && t("account.appActsAs", { name: fullName(account.username, account.displayName) })}
            {" · "}
            {t("account.appConnected")} <Time at={createdAt} />
            {lastUsedAt && (
              <>
                {" · "}
                {t("account.lastUsed")} <Time at={lastUsedAt} />
              </>
            )}
            {expiresAt && (
              <>
                {" · "}
                {t("account.appEnds")} <Deadline at={expiresAt} />
              </>
            )}
            <Permissions scopes={grant.scopes.split(",").filter(isScope)} />
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

function Permissions({ scopes }: { scopes: readonly Scope[] }) {
  const { t } = useText();
  const names = scopes.map((scope) => t(`agents.scope.${scope}`));
  return (
    <span className="block">
      {t("agents.scopes")}: {names.join(" · ") || t("agents.readOnly")}
    </span>
  );
}
