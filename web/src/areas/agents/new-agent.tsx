import { limits } from "@tandem/contract/limits";
import { type Scope, scopeNames } from "@tandem/contract/scopes";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownEditor } from "../../posts/markdown-editor.tsx";
import { agentAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { useStepUp } from "../../ui/use-step-up.tsx";
import { AgentsAside } from "./agents-aside.tsx";
import { ApprovalField } from "./approval-field.tsx";
import { NewKeySecret } from "./new-key-secret.tsx";
import { OperatorNotice } from "./operator-notice.tsx";
import { ScopesField } from "./scopes-field.tsx";
import { UsernameField } from "./username-field.tsx";

const blank = {
  username: "",
  displayName: "",
  bio: "",
  scopes: [...scopeNames] as Scope[],
  approval: false,
};
const fields = ["username", "displayName", "bio", "scopes"];

/** Creates an agent: its name, its permissions, and its first key. */
export function NewAgentPage() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const stored = useStoredDraft("agent", blank);
  const { username, displayName, bio, scopes, approval } = stored.value;
  const stepUp = useStepUp();
  const create = useAction(
    (api) => {
      const profile = { username, displayName: displayName.trim() || null, bio: bio.trim() || null };
      const agent = { ...profile, scopes, approval };
      return stepUp.run(() => api.createAgent(agent, { idempotencyKey: stored.idempotencyKeyFor(agent) }));
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        stored.clear();
        invalidateAgents(queryClient);
      },
    },
  );
  const form = useFocusFirstError(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data)
    return (
      <WithAside aside={<AgentsAside />}>
        <div>
          <PageTitle description={t("agents.createdDescription")}>
            {t("agents.created", {
              name: fullName(create.data.agent.username, create.data.agent.displayName),
            })}
          </PageTitle>
          <div className="card-flush flex flex-col gap-4 p-4 sm:p-6">
            {create.data.secret ? (
              <NewKeySecret secret={create.data.secret} />
            ) : (
              <p>{t("agents.secretLost")}</p>
            )}
            <div className="flex justify-end">
              <ButtonLink to={agentAddress(create.data.agent.id)} variant="primary">
                {t("agents.manage")}
              </ButtonLink>
            </div>
          </div>
        </div>
      </WithAside>
    );
  const hasGeneralError = create.error && !fields.some((field) => fieldErrorMessage(field, create.error, t));
  return (
    <WithAside aside={<AgentsAside />}>
      <div>
        <PageTitle description={t("agents.newDescription")}>{t("agents.new")}</PageTitle>
        <form ref={form} onSubmit={submit} className="card-flush flex flex-col gap-5 p-4 sm:p-6">
          <UsernameField
            error={fieldErrorMessage("username", create.error, t)}
            value={username}
            onChange={(event) => stored.change({ username: event.target.value })}
          />
          <Field
            label={t("agents.displayName")}
            error={fieldErrorMessage("displayName", create.error, t)}
            value={displayName}
            onChange={(event) => stored.change({ displayName: event.target.value })}
            maxLength={limits.displayName}
            autoComplete="off"
          />
          <MarkdownEditor text={bio} isBio>
            <TextArea
              label={t("agents.bio")}
              hint={t("agents.bioHint")}
              error={fieldErrorMessage("bio", create.error, t)}
              value={bio}
              onChange={(event) => stored.change({ bio: event.target.value })}
              maxLength={limits.bio}
            />
          </MarkdownEditor>
          <ScopesField selected={scopes} onChange={(scopes) => stored.change({ scopes })} />
          <ApprovalField checked={approval} onChange={(approval) => stored.change({ approval })} />
          <OperatorNotice />
          {hasGeneralError && <ErrorNotice error={create.error} />}
          <div className="flex justify-end gap-2">
            <ButtonLink to="/agents">{t("common.cancel")}</ButtonLink>
            <Button type="submit" variant="primary" busy={create.isPending}>
              {t("agents.create")}
            </Button>
          </div>
        </form>
        {stepUp.dialog}
      </div>
    </WithAside>
  );
}
