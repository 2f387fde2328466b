import type { TandemError } from "@tandem/client";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type FormValues, faultOf, useFault } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Inside } from "./already-signed-in.tsx";
import { CodeStep } from "./code-step.tsx";
import { inText, Shell } from "./layout.tsx";
import { along, nextOf } from "./next.ts";
import { OtherWays } from "./other-methods.tsx";
import { takeAnswer } from "./provider-sign-in.ts";
import { type Attempt, useEnter, wantsCode } from "./use-log-in.ts";

/** Who one is, and where it is asked for, a code as well. */
export function LogInView() {
  const { t } = useText();
  const me = useMe();
  const search = useSearch({ strict: false });
  const next = nextOf(search);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  // Once a code was asked for, a wrong one leads to no other page.
  const [coded, setCoded] = useState(false);
  const enter = useEnter(next);
  const go = (now: Attempt) => {
    setAttempt(now);
    enter.mutate({ attempt: now }, { onError: (error) => setCoded(wantsCode(error)) });
  };
  const comeBack = useEffectEvent(() => {
    const vouched = takeAnswer();
    if (vouched) go({ by: "provider", vouched });
  });
  useEffect(() => comeBack(), []);
  if (me && !enter.isPending && !enter.isSuccess) return <Inside me={me} next={next} />;
  if (attempt && coded)
    return (
      <CodeStep
        error={wantsCode(enter.error) && enter.variables?.code === undefined ? null : enter.error}
        busy={enter.isPending || enter.isSuccess}
        onCode={(code) => enter.mutate({ attempt, code })}
        onBack={() => {
          setCoded(false);
          enter.reset();
        }}
      />
    );
  return (
    <Shell
      title={t("signin.login")}
      says={search.next !== undefined && t("signin.toGoOn")}
      below={
        <>
          {t("signin.noAccount")}{" "}
          <Link to="/signup" search={along(search)} className={inText}>
            {t("nav.signup")}
          </Link>
        </>
      }
    >
      <PasswordForm
        typed={attempt?.by === "password" ? attempt.values : {}}
        error={enter.error}
        busy={enter.isPending || enter.isSuccess}
        onSend={(values) => go({ by: "password", values })}
      />
      <OtherWays next={next} passkey />
    </Shell>
  );
}

interface Sending {
  typed: FormValues;
  error: Error | null;
  busy: boolean;
  onSend(values: FormValues): void;
}

function PasswordForm({ typed, error, busy, onSend }: Sending) {
  const { t } = useText();
  const own = ({ status, code }: TandemError) =>
    status === 401 && code === "unauthorized" ? t("signin.wrong") : null;
  const fault = useFault(error, ["username", "password"], own);
  return (
    <Form onSend={onSend} busy={busy} fault={fault} button={t("signin.login")} wide>
      <Field
        name="username"
        label={t("signin.name")}
        defaultValue={typed.username}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={faultOf(fault, "username")}
      />
      <PasswordField
        name="password"
        label={t("signin.password")}
        defaultValue={typed.password}
        error={faultOf(fault, "password")}
      />
      <Link to="/account/forgot" className={`${inText} self-start text-sm`}>
        {t("signin.forgotten")}
      </Link>
    </Form>
  );
}
