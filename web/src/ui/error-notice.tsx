import { TandemError } from "@tandem/client";
import { errorMessage } from "../data/error-messages.ts";
import { useText } from "../i18n/use-text.tsx";

/** Why a form couldn't be sent. The form keeps its input. */
export function ErrorNotice({ error }: { error: Error | null }) {
  const { t } = useText();
  if (!error) return null;
  return (
    <p role="alert" className="rounded-xl bg-danger-soft px-4 py-3 font-medium text-danger">
      {errorMessage(error, t)} <ErrorLink error={error} />
    </p>
  );
}

/**
 * What helps, in another tab, so that the form keeps its input: logging in if the session has ended, or the reasons of a
 * suspension.
 */
export function ErrorLink({ error }: { error: Error }) {
  const { t } = useText();
  if (!(error instanceof TandemError)) return null;
  if (error.code !== "suspended" && error.status !== 401) return null;
  const isSuspended = error.code === "suspended";
  return (
    <a href={isSuspended ? "/standing" : "/login"} target="_blank" rel="noopener" className="underline">
      {t(isSuspended ? "common.statusInNewTab" : "common.loginInNewTab")}
    </a>
  );
}
