import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useMe } from "../../data/me.ts";
import type { FormValues } from "../../ui/form.tsx";
import { AlreadySignedIn } from "./already-signed-in.tsx";
import { CodeStep } from "./code-step.tsx";
import { takeProviderCredential } from "./provider-sign-in.ts";
import { type Attempt, needsSecondFactor, useLogIn } from "./use-log-in.ts";
import { WaitingForApproval } from "./waiting.tsx";

/** What a form for the first step needs. */
export interface LogInForm {
  initialValues: FormValues;
  error: Error | null;
  busy: boolean;
  onSend(values: FormValues): void;
}

/** The steps of a log-in: a form for the first factor, then the code if the account has a second one. */
export function LogInSteps({ next, children }: { next: string; children(form: LogInForm): ReactNode }) {
  const me = useMe();
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  // After the code was requested, a wrong code doesn't lead back to the first step.
  const [codeRequested, setCodeRequested] = useState(false);
  const logIn = useLogIn(next);
  const start = (newAttempt: Attempt) => {
    setAttempt(newAttempt);
    logIn.mutate({ attempt: newAttempt }, { onError: (error) => setCodeRequested(needsSecondFactor(error)) });
  };
  const resumeProviderSignIn = useEffectEvent(() => {
    const credential = takeProviderCredential();
    if (credential) start({ by: "provider", credential });
  });
  useEffect(() => resumeProviderSignIn(), []);
  if (logIn.data?.user === null) return <WaitingForApproval />;
  if (me && !logIn.isPending && !logIn.isSuccess) return <AlreadySignedIn me={me} next={next} />;
  if (attempt && codeRequested)
    return (
      <CodeStep
        error={needsSecondFactor(logIn.error) && logIn.variables?.code === undefined ? null : logIn.error}
        busy={logIn.isPending || logIn.isSuccess}
        onCode={(code) => logIn.mutate({ attempt, code })}
        onBack={() => {
          setCodeRequested(false);
          logIn.reset();
        }}
      />
    );
  return children({
    initialValues: attempt?.by === "password" ? attempt.values : {},
    error: logIn.error,
    busy: logIn.isPending || logIn.isSuccess,
    onSend: (values) => start({ by: "password", values }),
  });
}
