import { TandemError } from "@tandem/client";
import { errorMessage } from "../data/error-messages.ts";
import { useText } from "../i18n/use-text.tsx";

/** Why a form couldn't be sent. The form keeps its input. */
export function ErrorNotice({ error }: { error: Error | null }) {
  const { t } = useText();
  if (!error) return null;
  return (
    <p role="alert" className="rounded-xl bg-danger-soft px-4 py-3 font-medium text-danger">
      {errorMessage(error, t)} <LogInInNewTab error={error} />
    </p>
  );
}

/** For a session that has ended: log in in another tab, then send the form again in this one. */
export function LogInInNewTab({ error }: { error: Error }) {
  const { t } = useText();
  if (!(error instanceof TandemError) || error.status !== 401) return null;
  return (
    <a href="/login" target="_blank" rel="noopener" className="underline">
      {t("common.loginInNewTab")}
    </a>
  );
}
