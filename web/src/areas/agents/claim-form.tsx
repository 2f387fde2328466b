import type { AgentRequest } from "@tandem/contract/agent-requests";
import { isScope } from "@tandem/contract/scopes";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { agentAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Form, fieldErrorOf, useFormError, WarningBox } from "../../ui/form.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";
import { useStepUp } from "../../ui/use-step-up.tsx";
import { ApprovalField } from "./approval-field.tsx";
import { OperatorNotice } from "./operator-notice.tsx";
import { ScopesField } from "./scopes-field.tsx";
import { UsernameField } from "./username-field.tsx";

/** An agent's request for an account, and the decision about it. */
export function ClaimForm({ request }: { request: AgentRequest }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { code } = request;
  const [scopes, setScopes] = useState(() => request.scopes.split(",").filter(isScope));
  const [approval, setApproval] = useState(false);
  const stepUp = useStepUp();
  const approve = useAction(
    (api, username: string) =>
      stepUp.run(() => api.approveAgentRequest({ code, username, scopes, approval })),
    { inlineErrors: true, onSuccess: () => invalidateAgents(queryClient) },
  );
  const decline = useAction((api) => api.declineAgentRequest({ code }));
  const error = useFormError(approve.error, ["username"]);
  if (decline.data)
    return (
      <EmptyState drawing="done" isPage title={t("agents.declined")}>
        {t("agents.declinedDescription")}
      </EmptyState>
    );
  if (approve.data) {
    const { id, username, displayName } = approve.data.agent;
    return (
      <EmptyState
        isPage
        title={t("agents.created", { name: fullName(username, displayName) })}
        action={
          <ButtonLink to={agentAddress(id)} variant="primary">
            {t("agents.manage")}
          </ButtonLink>
        }
      >
        {t("agents.claimedDescription")}
      </EmptyState>
    );
  }
  return (
    <>
      <TaskLayout title={t("agents.claim")} description={t("agents.claimDescription")}>
        <div className="flex flex-col items-center gap-1 rounded-xl bg-sunken px-4 py-4 text-center">
          <p className="text-sm">{t("agents.compareCode")}</p>
          <p className="font-mono text-3xl font-bold tracking-widest">{request.code}</p>
        </div>
        <WarningBox>{t("agents.claimWarning")}</WarningBox>
        <Claims request={request} />
        <Form
          onSubmit={({ username = "" }) => approve.mutate(username)}
          busy={approve.isPending}
          error={error}
          submitLabel={t("agents.approveAgent")}
          secondaryAction={
            <Button busy={decline.isPending} disabled={approve.isPending} onClick={() => decline.mutate()}>
              {t("agents.declineAgent")}
            </Button>
          }
        >
          <UsernameField error={fieldErrorOf(error, "username")} defaultValue={request.username} />
          <ScopesField selected={scopes} onChange={setScopes} />
          <ApprovalField checked={approval} onChange={setApproval} />
          <OperatorNotice />
        </Form>
      </TaskLayout>
      {stepUp.dialog}
    </>
  );
}

/** What the asker says about itself, set apart from the page's own words. */
function Claims({ request: { displayName, bio } }: { request: AgentRequest }) {
  const { t } = useText();
  if (displayName === null && bio === null) return null;
  return (
    <section aria-labelledby="claims">
      <h2 id="claims" className="mb-1 text-sm font-semibold">
        {t("agents.unverified")}
      </h2>
      <blockquote className="border-s-4 border-edge/50 ps-3">
        {displayName !== null && <p className="theirs font-semibold">{displayName}</p>}
        {bio !== null && <p className="theirs whitespace-pre-wrap">{bio}</p>}
      </blockquote>
    </section>
  );
}
