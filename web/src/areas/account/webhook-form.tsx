import { limits } from "@tandem/contract/limits";
import type { NotificationType } from "@tandem/contract/notifications";
import type { Agent } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notificationTypes } from "../../data/choices.plain.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox, Field, Select } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Panel } from "./panel.tsx";

interface WebhookInput {
  url: string;
  agentId: number | null;
  types: NotificationType[] | null;
}

/** Creates a webhook: its URL, its account and its notification types. */
export function WebhookForm({
  agents,
  onCreated,
  onCancel,
}: {
  agents: readonly Pick<Agent, "id" | "username" | "displayName">[];
  onCreated(secret: string | null): void;
  onCancel(): void;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [types, setTypes] = useState<readonly NotificationType[] | null>(null);
  const add = useAction((api, webhook: WebhookInput) => api.createWebhook(webhook), {
    inlineErrors: true,
    onSuccess: ({ secret }) => {
      onCreated(secret);
      return queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
    },
  });
  const formError = useFormError(add.error, ["url"]);
  return (
    <Panel title={t("account.newWebhook")}>
      <Form
        onSubmit={({ url = "", agent = "" }) =>
          add.mutate({ url, agentId: agent ? Number(agent) : null, types: types && [...types] })
        }
        busy={add.isPending}
        error={formError}
        submitLabel={t("account.addWebhook")}
        secondaryAction={<Button onClick={onCancel}>{t("common.cancel")}</Button>}
      >
        <Field
          name="url"
          type="url"
          label={t("account.webhookUrl")}
          hint={t("account.webhookUrlHint")}
          placeholder="https://example.org/hook"
          maxLength={limits.url}
          required
          error={fieldErrorOf(formError, "url")}
        />
        {agents.length > 0 && (
          <Select name="agent" label={t("account.webhookFor")}>
            <option value="">{t("account.webhookOwn")}</option>
            {agents.map(({ id, username, displayName }) => (
              <option key={id} value={id} dir="auto">
                {fullName(username, displayName)}
              </option>
            ))}
          </Select>
        )}
        <TypesField types={types} onChange={setTypes} />
      </Form>
    </Panel>
  );
}

/** The selected types; null for all, including types added in the future. */
function TypesField({
  types,
  onChange,
}: {
  types: readonly NotificationType[] | null;
  onChange(types: readonly NotificationType[] | null): void;
}) {
  const { t } = useText();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">{t("account.webhookTypes")}</legend>
      <Checkbox
        label={t("account.allTypes")}
        checked={types === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [])}
      />
      {types && (
        <div className="grid gap-3 border-s-2 ps-4 sm:grid-cols-2">
          {notificationTypes.map((type) => (
            <Checkbox
              key={type}
              label={t(`account.type.${type}`)}
              checked={types.includes(type)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...types, type] : types.filter((other) => other !== type))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
