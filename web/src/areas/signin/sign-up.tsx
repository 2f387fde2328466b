import { useSuspenseQuery } from "@tanstack/react-query";
import { useMe } from "../../data/me.ts";
import { registrationQuery } from "../../data/registration.ts";
import { reloadAfterLogin } from "../../data/session.ts";
import { sitePagesQuery } from "../../data/site-pages.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import type { FormValues } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { SitePageLinks } from "../../ui/site-page-links.tsx";
import { TaskLayout } from "../../ui/task-layout.tsx";
import { AlreadySignedIn } from "./already-signed-in.tsx";
import { inlineLink } from "./inline-link.ts";
import { nextOf, nextParam } from "./next.ts";
import { checkSignUp, sendSignUp } from "./send-sign-up.ts";
import { SignUpForm } from "./sign-up-form.tsx";
import { WaitingForApproval } from "./waiting.tsx";

const descriptions = {
  open: "signin.signupDescription",
  approval: "signin.approvalDescription",
  invitation: "signin.invitationDescription",
} as const;

/** The page to create an account, or to read why that isn't possible. */
export function SignUpView() {
  const { t } = useText();
  const me = useMe();
  const search = useSearch();
  const next = nextOf(search);
  const { data: registration } = useSuspenseQuery(registrationQuery(useApi()));
  const { data: written } = useSuspenseQuery(sitePagesQuery(useApi()));
  const signUp = useAction((api, values: FormValues) => sendSignUp(api, values, registration.needsProof), {
    inlineErrors: true,
    onSuccess: ({ user }) => user && reloadAfterLogin(next === "/" ? "/welcome/topics" : next),
  });
  const check = useAction(
    (api, { values, invalid }: { values: FormValues; invalid: readonly string[] }) =>
      checkSignUp(api, values, invalid),
    { inlineErrors: true },
  );
  if (me && signUp.isIdle) return <AlreadySignedIn me={me} next={next} />;
  if (signUp.data?.user === null) return <WaitingForApproval />;
  const footer = (
    <>
      {t("signin.hasAccount")}{" "}
      <Link to="/login" search={nextParam(search)} className={inlineLink}>
        {t("nav.login")}
      </Link>
      <SitePageLinks names={written} className="mt-4 justify-center text-sm" />
    </>
  );
  if (registration.mode === "closed")
    return (
      <TaskLayout title={t("signin.closed")} description={t("signin.closedDescription")} footer={footer} />
    );
  return (
    <TaskLayout title={t("signin.signup")} description={t(descriptions[registration.mode])} footer={footer}>
      <SignUpForm {...registration} mode={registration.mode} signUp={signUp} check={check} next={next} />
    </TaskLayout>
  );
}
