import type { Passkey } from "@tandem/contract/account-resources";
import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { passkeysQuery } from "../../data/account.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, faultOf, useFault } from "../../ui/form.tsx";
import { Time } from "../../ui/time.tsx";
import { OwnerField, passwordIn, useOwnerFault } from "./current-password.tsx";
import { makePasskey } from "./make-passkey.ts";
import { Item, Lines, Mark, Panel } from "./panel.tsx";

/** Keys on devices, by which one signs in without a password. */
export function Passkeys() {
  const { t } = useText();
  const { data: passkeys } = useQuery(passkeysQuery(useApi()));
  return (
    <Panel title={t("account.passkeys")} says={t("account.passkeysSays")}>
      {!passkeys ? (
        <Lines count={2} />
      ) : (
        passkeys.length > 0 && (
          <ul>
            {passkeys.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )
      )}
      {passkeys && passkeys.length < limits.passkeysPerAccount && <Add />}
    </Panel>
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["account", "passkeys"] });
}

function Add() {
  const { t } = useText();
  const { show } = useToasts();
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);
  const add = useAction(makePasskey, {
    inlineErrors: true,
    onSuccess: (made) => {
      if (made === null) return;
      setOpen(false);
      show(t("account.passkeyAdded"));
      return refresh();
    },
  });
  const fault = useOwnerFault(add.error, ["name"]);
  if (!open)
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        {t("account.addPasskey")}
      </Button>
    );
  return (
    <Form
      onSend={(values) => add.mutate({ name: (values.name ?? "").trim(), password: passwordIn(values) })}
      busy={add.isPending}
      fault={fault}
      button={t("account.makePasskey")}
      beside={<Button onClick={() => setOpen(false)}>{t("common.cancel")}</Button>}
    >
      <Field
        name="name"
        label={t("account.passkeyName")}
        hint={t("account.passkeyNameHint")}
        maxLength={limits.passkeyName}
        error={faultOf(fault, "name")}
      />
      <OwnerField fault={fault} />
    </Form>
  );
}

function PasskeyItem({ passkey: { id, name, synced, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const { t } = useText();
  const [asks, setAsks] = useState<"rename" | "remove" | null>(null);
  return (
    <Item
      icon={<KeyRound className="size-5" aria-hidden="true" />}
      title={name}
      marks={synced && <Mark>{t("account.synced")}</Mark>}
      says={
        <>
          {t("account.added")} <Time at={createdAt} />
          {lastUsedAt && (
            <>
              {" · "}
              {t("account.lastUsed")} <Time at={lastUsedAt} />
            </>
          )}
        </>
      }
      actions={
        <>
          <IconButton label={t("account.rename", { name })} onClick={() => setAsks("rename")}>
            <Pencil className="size-4.5" aria-hidden="true" />
          </IconButton>
          <IconButton label={t("account.remove", { name })} onClick={() => setAsks("remove")}>
            <Trash2 className="size-4.5" aria-hidden="true" />
          </IconButton>
          <Dialog
            open={asks === "rename"}
            onClose={() => setAsks(null)}
            title={t("account.rename", { name })}
          >
            <Rename id={id} name={name} onDone={() => setAsks(null)} />
          </Dialog>
          <Dialog
            open={asks === "remove"}
            onClose={() => setAsks(null)}
            title={t("account.remove", { name })}
            says={t("account.removePasskeySays")}
          >
            <Remove id={id} onDone={() => setAsks(null)} />
          </Dialog>
        </>
      }
    />
  );
}

function Remove({ id, onDone }: { id: number; onDone(): void }) {
  const { t } = useText();
  const refresh = useRefresh();
  const remove = useAction(
    (api, values: FormValues) => api.removePasskey({ id, password: passwordIn(values) }),
    {
      inlineErrors: true,
      onSuccess: () => {
        onDone();
        return refresh();
      },
    },
  );
  const fault = useOwnerFault(remove.error);
  return (
    <Form
      onSend={(values) => remove.mutate(values)}
      busy={remove.isPending}
      fault={fault}
      danger
      button={t("account.removePress")}
      beside={<Button onClick={onDone}>{t("common.cancel")}</Button>}
    >
      <OwnerField fault={fault} />
    </Form>
  );
}

function Rename({ id, name, onDone }: { id: number; name: string; onDone(): void }) {
  const { t } = useText();
  const refresh = useRefresh();
  const rename = useAction((api, name: string) => api.renamePasskey({ id, name }), {
    inlineErrors: true,
    onSuccess: () => {
      onDone();
      return refresh();
    },
  });
  const fault = useFault(rename.error, ["name"]);
  return (
    <Form
      onSend={({ name = "" }) => rename.mutate(name.trim())}
      busy={rename.isPending}
      fault={fault}
      button={t("common.save")}
    >
      <Field
        name="name"
        label={t("account.passkeyName")}
        defaultValue={name}
        maxLength={limits.passkeyName}
        required
        error={faultOf(fault, "name")}
      />
    </Form>
  );
}
