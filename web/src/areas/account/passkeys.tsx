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
import { Form, type FormValues, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { Time } from "../../ui/time.tsx";
import { CurrentPasswordField, passwordFrom, useReauthError } from "./current-password.tsx";
import { makePasskey } from "./make-passkey.ts";
import { Badge, ListItem, Panel, SkeletonLines } from "./panel.tsx";

/** The account's passkeys: add, rename and remove them. */
export function PasskeysPanel() {
  const { t } = useText();
  const { data: passkeys } = useQuery(passkeysQuery(useApi()));
  return (
    <Panel title={t("account.passkeys")} description={t("account.passkeysDescription")}>
      {!passkeys ? (
        <SkeletonLines count={2} />
      ) : (
        passkeys.length > 0 && (
          <ul>
            {passkeys.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )
      )}
      {passkeys && passkeys.length < limits.passkeysPerAccount && <AddPasskey />}
    </Panel>
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["account", "passkeys"] });
}

function AddPasskey() {
  const { t } = useText();
  const { show } = useToasts();
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);
  const add = useAction(makePasskey, {
    inlineErrors: true,
    onSuccess: (passkey) => {
      if (passkey === null) return;
      setOpen(false);
      show(t("account.passkeyAdded"));
      return refresh();
    },
  });
  const formError = useReauthError(add.error, ["name"]);
  if (!open)
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        {t("account.addPasskey")}
      </Button>
    );
  return (
    <Form
      onSubmit={(values) => add.mutate({ name: (values.name ?? "").trim(), password: passwordFrom(values) })}
      busy={add.isPending}
      error={formError}
      submitLabel={t("account.createPasskey")}
      secondaryAction={<Button onClick={() => setOpen(false)}>{t("common.cancel")}</Button>}
    >
      <Field
        name="name"
        label={t("account.passkeyName")}
        hint={t("account.passkeyNameHint")}
        maxLength={limits.passkeyName}
        error={fieldErrorOf(formError, "name")}
      />
      <CurrentPasswordField error={formError} />
    </Form>
  );
}

function PasskeyItem({ passkey: { id, name, synced, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const { t } = useText();
  const [openDialog, setOpenDialog] = useState<"rename" | "remove" | null>(null);
  return (
    <ListItem
      icon={<KeyRound className="size-5" aria-hidden="true" />}
      title={name}
      badges={synced && <Badge>{t("account.synced")}</Badge>}
      description={
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
          <IconButton label={t("account.rename", { name })} onClick={() => setOpenDialog("rename")}>
            <Pencil className="size-4.5" aria-hidden="true" />
          </IconButton>
          <IconButton label={t("account.remove", { name })} onClick={() => setOpenDialog("remove")}>
            <Trash2 className="size-4.5" aria-hidden="true" />
          </IconButton>
          <Dialog
            open={openDialog === "rename"}
            onClose={() => setOpenDialog(null)}
            title={t("account.rename", { name })}
          >
            <RenamePasskeyForm id={id} name={name} onDone={() => setOpenDialog(null)} />
          </Dialog>
          <Dialog
            open={openDialog === "remove"}
            onClose={() => setOpenDialog(null)}
            title={t("account.remove", { name })}
            description={t("account.removePasskeyDescription")}
          >
            <RemovePasskeyForm id={id} onDone={() => setOpenDialog(null)} />
          </Dialog>
        </>
      }
    />
  );
}

function RemovePasskeyForm({ id, onDone }: { id: number; onDone(): void }) {
  const { t } = useText();
  const refresh = useRefresh();
  const remove = useAction(
    (api, values: FormValues) => api.removePasskey({ id, password: passwordFrom(values) }),
    {
      inlineErrors: true,
      onSuccess: () => {
        onDone();
        return refresh();
      },
    },
  );
  const formError = useReauthError(remove.error);
  return (
    <Form
      onSubmit={(values) => remove.mutate(values)}
      busy={remove.isPending}
      error={formError}
      danger
      submitLabel={t("account.removeSubmit")}
      secondaryAction={<Button onClick={onDone}>{t("common.cancel")}</Button>}
    >
      <CurrentPasswordField error={formError} />
    </Form>
  );
}

function RenamePasskeyForm({ id, name, onDone }: { id: number; name: string; onDone(): void }) {
  const { t } = useText();
  const refresh = useRefresh();
  const rename = useAction((api, name: string) => api.renamePasskey({ id, name }), {
    inlineErrors: true,
    onSuccess: () => {
      onDone();
      return refresh();
    },
  });
  const formError = useFormError(rename.error, ["name"]);
  return (
    <Form
      onSubmit={({ name = "" }) => rename.mutate(name.trim())}
      busy={rename.isPending}
      error={formError}
      submitLabel={t("common.save")}
    >
      <Field
        name="name"
        label={t("account.passkeyName")}
        defaultValue={name}
        maxLength={limits.passkeyName}
        required
        error={fieldErrorOf(formError, "name")}
      />
    </Form>
  );
}
