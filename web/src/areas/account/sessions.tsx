import type { Session } from "@tandem/contract/account-resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bot, Monitor, Smartphone } from "lucide-react";
import { sessionsQuery } from "../../data/account.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { deviceOf, isHandheld } from "./device.ts";
import { Badge, ListItem, Panel, SkeletonLines } from "./panel.tsx";

/** The account's active sessions. */
export function SessionsPanel() {
  const { t } = useText();
  const { show } = useToasts();
  const refresh = useRefresh();
  const { data: sessions } = useQuery(sessionsQuery(useApi()));
  const endOthers = useAction((api) => api.endSession({ others: true }), {
    onSuccess: () => {
      show(t("account.othersSignedOut"));
      return refresh();
    },
  });
  return (
    <Panel title={t("account.sessions")} description={t("account.sessionsDescription")}>
      {sessions ? (
        <ul>
          {sessions.map((session) => (
            <SessionItem key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <SkeletonLines />
      )}
      {sessions && sessions.length > 1 && (
        <Button
          variant="danger"
          className="self-start"
          onClick={() => endOthers.mutate()}
          busy={endOthers.isPending}
        >
          {t("account.signOutOthers")}
        </Button>
      )}
    </Panel>
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["account", "sessions"] });
}

function SessionItem({ session }: { session: Session }) {
  const { t } = useText();
  const refresh = useRefresh();
  const { id, current, agentId, parked, lastUsedAt, createdAt } = session;
  const { program, system } = deviceOf(session.device ?? "");
  const name = system ? t("account.device", { program, system }) : program;
  const Icon = agentId !== null ? Bot : isHandheld(session.device ?? "") ? Smartphone : Monitor;
  const endOthers = useAction((api) => api.endSession({ id }), { onSuccess: refresh });
  return (
    <ListItem
      icon={<Icon className="size-5" aria-hidden="true" />}
      title={name}
      badges={
        <>
          {current && <Badge good>{t("account.thisSession")}</Badge>}
          {parked && <Badge>{t("account.parked")}</Badge>}
          {agentId !== null && <Badge>{t("account.asAgent")}</Badge>}
        </>
      }
      description={
        <>
          {t("account.signedIn")} <Time at={createdAt} />
          {" · "}
          {t("account.lastUsed")} <Time at={lastUsedAt} />
        </>
      }
      actions={
        !current && (
          <Button
            size="small"
            className="min-h-10"
            onClick={() => endOthers.mutate()}
            busy={endOthers.isPending}
            aria-label={t("account.signOutNamed", { name })}
          >
            {t("account.signOut")}
          </Button>
        )
      }
    />
  );
}
