import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { securityQuery } from "../../data/account.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, faultOf, useFault } from "../../ui/form.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { OwnerField, passwordIn, useOwnerFault } from "./current-password.tsx";
import { Lines, Mark, Panel } from "./panel.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const QrCode = lazyComponent(() => import("./qr-code.tsx"));

/** Codes of an authenticator, which signing in then takes as well. */
export function TwoFactor() {
  const { t } = useText();
  const { data: security } = useQuery(securityQuery(useApi()));
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const on = security?.twoFactor ?? false;
  return (
    <Panel title={t("account.twoFactor")} says={t("account.twoFactorSays")}>
      {codes ? (
        <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />
      ) : !security ? (
        <Lines count={1} />
      ) : on ? (
        <On left={security.recoveryCodesLeft} onCodes={setCodes} />
      ) : (
        <Off onCodes={setCodes} />
      )}
    </Panel>
  );
}

function On({ left, onCodes }: { left: number; onCodes(codes: readonly string[]): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [asks, setAsks] = useState<"renew" | "end" | null>(null);
  const close = () => setAsks(null);
  const again = () => queryClient.invalidateQueries({ queryKey: ["account", "security"] });
  const end = useAction(
    (api, values: FormValues) =>
      api.endTwoFactor({ password: passwordIn(values), code: values.code ?? null }),
    {
      inlineErrors: true,
      onSuccess: () => {
        show(t("account.twoFactorEnded"));
        return again();
      },
    },
  );
  const renew = useAction(
    (api, values: FormValues) =>
      api.confirmTwoFactor({ password: passwordIn(values), code: (values.code ?? "").trim() }),
    {
      inlineErrors: true,
      onSuccess: ({ recoveryCodes }) => {
        onCodes(recoveryCodes ?? []);
        return again();
      },
    },
  );
  const asked = asks === "end" ? end : renew;
  const fault = useOwnerFault(asked.error, ["code"]);
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Mark good>{t("account.twoFactorOn")}</Mark>
        <span className="text-sm text-soft">{t("account.codesLeft", { left })}</span>
      </p>
      {asks ? (
        <Form
          onSend={(values) => asked.mutate(values)}
          busy={asked.isPending}
          fault={fault}
          danger={asks === "end"}
          button={t(asks === "end" ? "account.twoFactorEnd" : "account.codesRenew")}
          beside={<Button onClick={close}>{t("common.cancel")}</Button>}
        >
          <OwnerField fault={fault} />
          <CodeField
            label={t(asks === "end" ? "account.codeOrRecovery" : "account.code")}
            error={faultOf(fault, "code")}
          />
        </Form>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsks("renew")}>{t("account.codesRenew")}</Button>
          <Button onClick={() => setAsks("end")}>{t("account.twoFactorEnd")}</Button>
        </div>
      )}
    </>
  );
}

function CodeField({ label, error }: { label: string; error: string | null }) {
  return (
    <Field
      name="code"
      label={label}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
      className="max-w-60"
      error={error}
    />
  );
}

interface Secret {
  secret: string;
  uri: string;
}

function Off({ onCodes }: { onCodes(codes: readonly string[]): void }) {
  const { t } = useText();
  const [begun, setBegun] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const begin = useAction((api, values: FormValues) => api.beginTwoFactor({ password: passwordIn(values) }), {
    inlineErrors: true,
    onSuccess: ({ secret, uri }) => setSecret(secret === null || uri === null ? null : { secret, uri }),
  });
  const fault = useOwnerFault(begin.error);
  if (secret) return <Link secret={secret} onCodes={onCodes} onCancel={() => setSecret(null)} />;
  if (!begun)
    return (
      <Button look="primary" className="self-start" onClick={() => setBegun(true)}>
        {t("account.twoFactorBegin")}
      </Button>
    );
  return (
    <Form
      onSend={(values) => begin.mutate(values)}
      busy={begin.isPending}
      fault={fault}
      button={t("common.continue")}
      beside={<Button onClick={() => setBegun(false)}>{t("common.cancel")}</Button>}
    >
      <OwnerField fault={fault} />
    </Form>
  );
}

/** Makes the authenticator and the account known to one another. */
function Link({
  secret: { secret, uri },
  onCodes,
  onCancel,
}: {
  secret: Secret;
  onCodes(codes: readonly string[]): void;
  onCancel(): void;
}) {
  const { t } = useText();
  const shown = useRef<HTMLElement>(null);
  const queryClient = useQueryClient();
  const confirm = useAction((api, { code = "" }: FormValues) => api.confirmTwoFactor({ code: code.trim() }), {
    inlineErrors: true,
    onSuccess: ({ recoveryCodes }) => {
      onCodes(recoveryCodes ?? []);
      return queryClient.invalidateQueries({ queryKey: ["account", "security"] });
    },
  });
  const fault = useFault(confirm.error, ["code"], ({ field, code }) =>
    field === "code" && code === "forbidden" ? t("account.wrongCode") : null,
  );
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:gap-6">
      <QrCode text={uri} label={t("account.qr")} fallback={<Skeleton className="size-44 shrink-0" />} />
      <div className="flex min-w-0 flex-col gap-4">
        <p>{t("account.scan")}</p>
        <div className="flex flex-wrap items-center gap-2">
          <code ref={shown} className="rounded-lg bg-sunken px-2 py-1 font-mono text-sm break-all">
            {secret}
          </code>
          <CopyButton text={secret} shown={shown} label={t("account.copySecret")} />
        </div>
        <Form
          onSend={(values) => confirm.mutate(values)}
          busy={confirm.isPending}
          fault={fault}
          button={t("account.twoFactorConfirm")}
          beside={<Button onClick={onCancel}>{t("common.cancel")}</Button>}
        >
          <CodeField label={t("account.firstCode")} error={faultOf(fault, "code")} />
        </Form>
      </div>
    </div>
  );
}
