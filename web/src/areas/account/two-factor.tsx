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
import { Form, type FormValues, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { CurrentPasswordField, passwordFrom, useReauthError } from "./current-password.tsx";
import { Badge, Panel, SkeletonLines } from "./panel.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const QrCode = lazyComponent(() => import("./qr-code.tsx"));

/** Two-factor authentication with an authenticator app. */
export function TwoFactorPanel() {
  const { t } = useText();
  const { data: security } = useQuery(securityQuery(useApi()));
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isOn = security?.twoFactor ?? false;
  return (
    <Panel title={t("account.twoFactor")} description={t("account.twoFactorDescription")}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : !security ? (
        <SkeletonLines count={1} />
      ) : isOn ? (
        <TwoFactorOn codesLeft={security.recoveryCodesLeft} onCodes={setCodes} />
      ) : (
        <TwoFactorOff onCodes={setCodes} />
      )}
    </Panel>
  );
}

function TwoFactorOn({ codesLeft, onCodes }: { codesLeft: number; onCodes(codes: readonly string[]): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [action, setAction] = useState<"renew" | "end" | null>(null);
  const close = () => setAction(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["account", "security"] });
  const end = useAction(
    (api, values: FormValues) =>
      api.endTwoFactor({ password: passwordFrom(values), code: values.code ?? null }),
    {
      inlineErrors: true,
      onSuccess: () => {
        show(t("account.twoFactorEnded"));
        return refresh();
      },
    },
  );
  const renew = useAction(
    (api, values: FormValues) =>
      api.confirmTwoFactor({ password: passwordFrom(values), code: (values.code ?? "").trim() }),
    {
      inlineErrors: true,
      onSuccess: ({ recoveryCodes }) => {
        onCodes(recoveryCodes ?? []);
        return refresh();
      },
    },
  );
  const activeAction = action === "end" ? end : renew;
  const formError = useReauthError(activeAction.error, ["code"]);
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge good>{t("account.twoFactorOn")}</Badge>
        <span className="text-sm text-soft">{t("account.codesLeft", { left: codesLeft })}</span>
      </p>
      {action ? (
        <Form
          onSubmit={(values) => activeAction.mutate(values)}
          busy={activeAction.isPending}
          error={formError}
          danger={action === "end"}
          submitLabel={t(action === "end" ? "account.twoFactorEnd" : "account.codesRenew")}
          secondaryAction={<Button onClick={close}>{t("common.cancel")}</Button>}
        >
          <CurrentPasswordField error={formError} />
          <CodeField
            label={t(action === "end" ? "account.codeOrRecovery" : "account.code")}
            error={fieldErrorOf(formError, "code")}
          />
        </Form>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAction("renew")}>{t("account.codesRenew")}</Button>
          <Button onClick={() => setAction("end")}>{t("account.twoFactorEnd")}</Button>
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

function TwoFactorOff({ onCodes }: { onCodes(codes: readonly string[]): void }) {
  const { t } = useText();
  const [isStarted, setStarted] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const start = useAction(
    (api, values: FormValues) => api.beginTwoFactor({ password: passwordFrom(values) }),
    {
      inlineErrors: true,
      onSuccess: ({ secret, uri }) => setSecret(secret === null || uri === null ? null : { secret, uri }),
    },
  );
  const formError = useReauthError(start.error);
  if (secret) return <PairAuthenticator secret={secret} onCodes={onCodes} onCancel={() => setSecret(null)} />;
  if (!isStarted)
    return (
      <Button variant="primary" className="self-start" onClick={() => setStarted(true)}>
        {t("account.twoFactorBegin")}
      </Button>
    );
  return (
    <Form
      onSubmit={(values) => start.mutate(values)}
      busy={start.isPending}
      error={formError}
      submitLabel={t("common.continue")}
      secondaryAction={<Button onClick={() => setStarted(false)}>{t("common.cancel")}</Button>}
    >
      <CurrentPasswordField error={formError} />
    </Form>
  );
}

/** Pairs an authenticator app with the account. */
function PairAuthenticator({
  secret: { secret, uri },
  onCodes,
  onCancel,
}: {
  secret: Secret;
  onCodes(codes: readonly string[]): void;
  onCancel(): void;
}) {
  const { t } = useText();
  const secretElement = useRef<HTMLElement>(null);
  const queryClient = useQueryClient();
  const confirm = useAction((api, { code = "" }: FormValues) => api.confirmTwoFactor({ code: code.trim() }), {
    inlineErrors: true,
    onSuccess: ({ recoveryCodes }) => {
      onCodes(recoveryCodes ?? []);
      return queryClient.invalidateQueries({ queryKey: ["account", "security"] });
    },
  });
  const formError = useFormError(confirm.error, ["code"], ({ field, code }) =>
    field === "code" && code === "forbidden" ? t("account.wrongCode") : null,
  );
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:gap-6">
      <QrCode text={uri} label={t("account.qr")} fallback={<Skeleton className="size-44 shrink-0" />} />
      <div className="flex min-w-0 flex-col gap-4">
        <p>{t("account.scan")}</p>
        <div className="flex flex-wrap items-center gap-2">
          <code ref={secretElement} className="rounded-lg bg-sunken px-2 py-1 font-mono text-sm break-all">
            {secret}
          </code>
          <CopyButton text={secret} target={secretElement} label={t("account.copySecret")} />
        </div>
        <Form
          onSubmit={(values) => confirm.mutate(values)}
          busy={confirm.isPending}
          error={formError}
          submitLabel={t("account.twoFactorConfirm")}
          secondaryAction={<Button onClick={onCancel}>{t("common.cancel")}</Button>}
        >
          <CodeField label={t("account.firstCode")} error={fieldErrorOf(formError, "code")} />
        </Form>
      </div>
    </div>
  );
}
