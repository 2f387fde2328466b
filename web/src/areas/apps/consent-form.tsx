import type { AuthorizationRequest } from "@tandem/contract/apps";
import type { Scope } from "@tandem/contract/scopes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { agentsQuery, invalidateAgents } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Select } from "../../ui/field.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { useStepUp } from "../../ui/use-step-up.tsx";
import { ScopesField } from "../agents/scopes-field.tsx";
import { AppIdentity } from "./app-identity.tsx";

/** Who the app is, what it may do, and as whom. */
export function ConsentForm({ id, request }: { id: string; request: AuthorizationRequest }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const isHydrated = useHydrated();
  const asked = request.scopes.split(",").filter(Boolean) as Scope[];
  const [scopes, setScopes] = useState(asked);
  const [agentId, setAgentId] = useState("");
  const stepUp = useStepUp();
  const leave = ({ redirectUrl }: { redirectUrl: string | null }) => {
    invalidateAgents(queryClient);
    if (redirectUrl !== null) window.location.assign(redirectUrl);
  };
  const chosen = agentId === "" ? null : Number(agentId);
  const approval = useAction(
    (api) =>
      stepUp.run(() =>
        api.approveAuthorizationRequest({ request: id, scopes: [...scopes], agentId: chosen }),
      ),
    { inlineErrors: true, onSuccess: leave },
  );
  const denial = useAction((api) => api.denyAuthorizationRequest({ request: id }), {
    inlineErrors: true,
    onSuccess: leave,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    approval.mutate();
  };
  const { name } = request.app;
  if (approval.isSuccess || denial.isSuccess)
    return (
      <EmptyState isPage title={t(approval.isSuccess ? "apps.allowed" : "apps.denied", { name })}>
        {t(request.receiver === "other_device" ? "apps.backToDevice" : "apps.backToApp")}
      </EmptyState>
    );
  const error = approval.error ?? denial.error;
  return (
    <div className="mx-auto flex max-w-lg flex-col gap-6 px-4 pt-8 sm:pt-14">
      <h1 className="theirs text-2xl font-bold">{t("apps.wantsAccess", { name })}</h1>
      <form onSubmit={submit} className="card flex flex-col gap-6 p-5 sm:p-6">
        <AppIdentity request={request} code={id} />
        {/* What is chosen before hydration would be shown, but not sent. */}
        <fieldset disabled={!isHydrated} className="contents">
          <ActingAs value={agentId} onChange={setAgentId} />
          <ScopesField offered={asked} selected={scopes} onChange={setScopes} />
        </fieldset>
        <p className="text-sm text-soft">{t("apps.ends", { days: request.days })}</p>
        {error && <ErrorNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            className="min-h-11 flex-1"
            busy={approval.isPending}
            disabled={approval.isPending || !isHydrated}
          >
            {t("apps.allow")}
          </Button>
          <Button
            className="min-h-11 flex-1"
            busy={denial.isPending}
            disabled={denial.isPending || !isHydrated}
            onClick={() => denial.mutate()}
          >
            {t("apps.deny")}
          </Button>
        </div>
      </form>
      {stepUp.dialog}
    </div>
  );
}

/** The reader, or one of their agents. */
function ActingAs({ value, onChange }: { value: string; onChange(agentId: string): void }) {
  const { t } = useText();
  const me = useMe();
  const { data: agents = [] } = useQuery(agentsQuery(useApi()));
  return (
    <Select
      label={t("apps.actsAs")}
      hint={t("apps.actsAsHint")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t("apps.yourself", { name: me?.username ?? "" })}</option>
      {agents.map(({ id, username }) => (
        <option key={id} value={id}>
          {t("apps.yourAgent", { name: username })}
        </option>
      ))}
    </Select>
  );
}
