import { limits } from "@tandem/contract/limits";
import type { NotificationType } from "@tandem/contract/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notificationTypes } from "../../data/choices.plain.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice, Field, Tick } from "../../ui/field.tsx";
import { Form, faultOf, useFault } from "../../ui/form.tsx";
import { Panel } from "./panel.tsx";

interface Wish {
  url: string;
  agentId: number | null;
  types: NotificationType[] | null;
}

/** Where to, for whom, and what. */
export function NewWebhook({
  agents,
  onMade,
  onCancel,
}: {
  agents: readonly { id: number; username: string }[];
  onMade(secret: string | null): void;
  onCancel(): void;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [types, setTypes] = useState<readonly NotificationType[] | null>(null);
  const add = useAction((api, wish: Wish) => api.createWebhook(wish), {
    inlineErrors: true,
    onSuccess: ({ secret }) => {
      onMade(secret);
      return queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
    },
  });
  const fault = useFault(add.error, ["url"]);
  return (
    <Panel title={t("account.newWebhook")}>
      <Form
        onSend={({ url = "", agent = "" }) =>
          add.mutate({ url, agentId: agent ? Number(agent) : null, types: types && [...types] })
        }
        busy={add.isPending}
        fault={fault}
        button={t("account.addWebhook")}
        beside={<Button onClick={onCancel}>{t("common.cancel")}</Button>}
      >
        <Field
          name="url"
          type="url"
          label={t("account.webhookUrl")}
          hint={t("account.webhookUrlHint")}
          placeholder="https://example.org/hook"
          maxLength={limits.url}
          required
          error={faultOf(fault, "url")}
        />
        {agents.length > 0 && (
          <Choice name="agent" label={t("account.webhookFor")}>
            <option value="">{t("account.webhookMine")}</option>
            {agents.map(({ id, username }) => (
              <option key={id} value={id}>
                {username}
              </option>
            ))}
          </Choice>
        )}
        <Types types={types} onTypes={setTypes} />
      </Form>
    </Panel>
  );
}

/** All types, or some; null for all, also for those that come to be. */
function Types({
  types,
  onTypes,
}: {
  types: readonly NotificationType[] | null;
  onTypes(types: readonly NotificationType[] | null): void;
}) {
  const { t } = useText();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">{t("account.webhookTypes")}</legend>
      <Tick
        label={t("account.allTypes")}
        checked={types === null}
        onChange={({ currentTarget }) => onTypes(currentTarget.checked ? null : [])}
      />
      {types && (
        <div className="grid gap-3 border-s-2 ps-4 sm:grid-cols-2">
          {notificationTypes.map((type) => (
            <Tick
              key={type}
              label={t(`account.type.${type}`)}
              checked={types.includes(type)}
              onChange={({ currentTarget }) =>
                onTypes(currentTarget.checked ? [...types, type] : types.filter((one) => one !== type))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
