import { TandemError } from "@tandem/client";
import type { AuthorizationRequest } from "@tandem/contract/apps";
import type { Scope } from "@tandem/contract/scopes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { agentsQuery, invalidateAgents } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { useStepUp } from "../../ui/use-step-up.tsx";
import { ApprovalField } from "../agents/approval-field.tsx";
import { OperatorNotice } from "../agents/operator-notice.tsx";
import { ScopesField } from "../agents/scopes-field.tsx";
import { UsernameField } from "../agents/username-field.tsx";
import { AppIdentity } from "./app-identity.tsx";

/** Shows the app, what it wants to do and the account it will use, and approves or denies it. */
export function ConsentForm({ id, request }: { id: string; request: AuthorizationRequest }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const isHydrated = useHydrated();
  const asked = request.scopes.split(",").filter(Boolean) as Scope[];
  const [scopes, setScopes] = useState(asked);
  const [chosenApproval, setChosenApproval] = useState<boolean | null>(null);
  const [actor, setActor] = useState("");
  const accountId = useMe()?.id;
  const agentId = /^\d+$/.test(actor) ? Number(actor) : null;
  const actorId = actor === "" ? accountId : agentId;
  // As for the key that the app has already.
  const needsApproval = chosenApproval ?? request.approvalAccounts.includes(actorId ?? 0);
  const stepUp = useStepUp();
  const leave = ({ redirectUrl }: { redirectUrl: string | null }) => {
    invalidateAgents(queryClient);
    if (redirectUrl !== null) window.location.assign(redirectUrl);
  };
  const approval = useAction(
    (api, username: string | null) =>
      stepUp.run(() =>
        api.approveAuthorizationRequest({
          request: id,
          scopes: [...scopes],
          approval: needsApproval,
          agentId,
          username,
          ...(accountId !== undefined && { accountId }),
        }),
      ),
    { inlineErrors: true, onSuccess: leave },
  );
  const denial = useAction((api) => api.denyAuthorizationRequest({ request: id }), {
    inlineErrors: true,
    onSuccess: leave,
  });
  const failure = approval.error ?? denial.error;
  const isOutdated = useReloadIfOutdated(failure);
  const error = useFormError(isOutdated ? null : failure, ["username"]);
  // Isolated, so that a right-to-left name doesn't reorder the sentence.
  const parts = { app: <bdi className="wrap-anywhere">{request.app.name}</bdi> };
  if (approval.isSuccess || denial.isSuccess)
    return (
      <EmptyState
        drawing={approval.isSuccess ? "done" : "lock"}
        isPage
        title={<RichText text={approval.isSuccess ? "apps.allowed" : "apps.denied"} parts={parts} />}
      >
        {t(request.receiver === "other_device" ? "apps.backToDevice" : "apps.backToApp")}
      </EmptyState>
    );
  return (
    <div className="mx-auto flex max-w-lg flex-col gap-6 px-4 pt-8 sm:pt-14">
      <h1 className="text-2xl font-bold">
        <RichText text="apps.wantsAccess" parts={parts} />
      </h1>
      <Form
        onSubmit={({ username = null }) => approval.mutate(username)}
        busy={approval.isPending || isOutdated}
        error={error}
        submitLabel={t("apps.allow")}
        fullWidth
        secondaryAction={
          <Button
            className="min-h-11 flex-1"
            busy={denial.isPending}
            disabled={approval.isPending || denial.isPending || !isHydrated}
            onClick={() => denial.mutate()}
          >
            {t("apps.deny")}
          </Button>
        }
        className="card gap-6 p-5 sm:p-6"
      >
        <AppIdentity request={request} code={id} />
        {/* What is chosen before hydration would be shown, but not sent. */}
        <fieldset disabled={!isHydrated} className="contents">
          <ActingAs value={actor} onChange={setActor} />
          {actor === NEW_AGENT && (
            <>
              <UsernameField error={fieldErrorOf(error, "username")} />
              <OperatorNotice />
            </>
          )}
          <ScopesField offered={asked} selected={scopes} onChange={setScopes} />
          <ApprovalField checked={needsApproval} onChange={setChosenApproval} />
        </fieldset>
        <p className="text-sm text-soft">{t("apps.ends", { days: request.days })}</p>
      </Form>
      {stepUp.dialog}
    </div>
  );
}

/** Loads the page again if the request was answered elsewhere, or the reader now has another account than the page shows. */
function useReloadIfOutdated(error: Error | null): boolean {
  const isOutdated = error instanceof TandemError && ["account_changed", "not_found"].includes(error.code);
  useEffect(() => {
    if (isOutdated) window.location.reload();
  }, [isOutdated]);
  return isOutdated;
}

const NEW_AGENT = "new";

/** The reader, one of their agents, or a new one. */
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
      <option value="">{me && t("apps.yourself", { name: fullName(me.username, me.displayName) })}</option>
      {agents.map(({ id, username, displayName }) => (
        <option key={id} value={id}>
          {t("apps.yourAgent", { name: fullName(username, displayName) })}
        </option>
      ))}
      <option value={NEW_AGENT}>{t("apps.newAgent")}</option>
    </Select>
  );
}
