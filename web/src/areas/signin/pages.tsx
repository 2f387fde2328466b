import { parkedSessionQuery } from "../../data/parked-session.ts";
import { providersQuery } from "../../data/providers.ts";
import { registrationQuery } from "../../data/registration.ts";
import { sitePagesQuery } from "../../data/site-pages.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { type Page, type PageRequest, page } from "../../shared/page.ts";
import { ConfirmView, DigestView, ForgotView, ResetView } from "./email-links.tsx";
import { LogInView } from "./log-in.tsx";
import { ReturnView } from "./return.tsx";
import { SignUpView } from "./sign-up.tsx";

const head =
  (title: TextKey) =>
  ({ i18n }: PageRequest) => ({ title: i18n._(title), unlisted: true });

const load: Page["load"] = ({ api, queryClient }) => queryClient.ensureQueryData(providersQuery(api));

export const SignUp = page({
  load: async (request) => {
    const { api, queryClient } = request;
    await Promise.all([
      load(request),
      queryClient.ensureQueryData(registrationQuery(api)),
      queryClient.ensureQueryData(sitePagesQuery(api)),
    ]);
  },
  head: ({ i18n }) => ({ title: i18n._("signin.signup"), description: i18n._("signin.signupDescription") }),
  View: SignUpView,
});
export const LogIn = page({ load, head: head("signin.login"), View: LogInView });
export const Return = page({
  load: async (request) => {
    const { api, queryClient } = request;
    await Promise.all([load(request), queryClient.ensureQueryData(parkedSessionQuery(api))]);
  },
  head: head("signin.return"),
  View: ReturnView,
});
export const Forgot = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(registrationQuery(api)),
  head: head("signin.forgot"),
  View: ForgotView,
});
export const Digest = page({ head: head("signin.digest"), View: DigestView });
export const Confirm = page({ load, head: head("signin.confirm"), View: ConfirmView });
export const Reset = page({ head: head("signin.reset"), View: ResetView });
