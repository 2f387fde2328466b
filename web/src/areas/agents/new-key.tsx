import type { FlatClient } from "@tandem/client";
import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Scope } from "@tandem/contract/scopes";
import { scopeNames } from "@tandem/contract/scopes";
import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { errorMessage, fieldErrorMessage } from "../../data/error-messages.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { useStepUp } from "../../ui/use-step-up.tsx";
import { ApprovalField } from "./approval-field.tsx";
import { NewKeySecret } from "./new-key-secret.tsx";
import { ScopesField } from "./scopes-field.tsx";

const LazyDialog = lazyComponent(async () => ({ default: (await import("../../ui/dialog.tsx")).Dialog }));

/** Days after which a new key can end. */
const lifetimes = [7, 30, 90, 365];

/** Creates a key: the reader's own if `agentId` is null, or an agent's. */
export function NewKeyButton({ agentId }: { agentId: number | null }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden="true" />
        {t("agents.newKey")}
      </Button>
      {open && (
        <LazyDialog
          open
          onClose={() => setOpen(false)}
          title={t("agents.newKey")}
          description={t("agents.newKeyDescription")}
        >
          <NewKeyForm agentId={agentId} />
        </LazyDialog>
      )}
    </>
  );
}

function NewKeyForm({ agentId }: { agentId: number | null }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<Scope[]>([...scopeNames]);
  const [days, setDays] = useState("");
  const [approval, setApproval] = useState(false);
  const stepUp = useStepUp();
  const mint = (api: FlatClient) => {
    const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * DAY).toISOString();
    return stepUp.run(() => api.mintKey({ name, scopes, approval, agentId, expiresAt }));
  };
  const creation = useAction(mint, {
    inlineErrors: true,
    onSuccess: () => invalidateAgents(queryClient),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  if (creation.data?.secret) return <NewKeySecret secret={creation.data.secret} />;
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={t("agents.keyName")}
          hint={t("agents.keyNameHint")}
          error={fieldErrorMessage("name", creation.error, t)}
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={limits.keyName}
          autoComplete="off"
        />
        <ScopesField selected={scopes} onChange={setScopes} />
        <Select label={t("agents.keyEnds")} value={days} onChange={(event) => setDays(event.target.value)}>
          <option value="">{t("agents.keyEnds.never")}</option>
          {lifetimes.map((count) => (
            <option key={count} value={count}>
              {t("agents.keyEnds.days", { count })}
            </option>
          ))}
        </Select>
        <ApprovalField checked={approval} onChange={setApproval} />
        {creation.error && !fieldErrorMessage("name", creation.error, t) && (
          <p role="alert" className="text-sm font-medium text-danger">
            {errorMessage(creation.error, t)}
          </p>
        )}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={creation.isPending}>
            {t("agents.newKey")}
          </Button>
        </div>
      </form>
      {/* Outside, or React would pass its form's events on to this one. */}
      {stepUp.dialog}
    </>
  );
}
