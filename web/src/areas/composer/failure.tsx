import { TandemError } from "@tandem/client";
import { inWords } from "../../data/words.ts";
import { useText } from "../../i18n/use-text.tsx";

/** Why it wasn't sent. What is in the form stays; who was signed out comes back in another tab. */
export function Failure({ error }: { error: Error | null }) {
  const { t } = useText();
  if (!error) return null;
  const signedOut = error instanceof TandemError && error.status === 401;
  return (
    <p role="alert" className="rounded-xl bg-danger-soft px-4 py-3 font-medium text-danger">
      {inWords(error, t)}{" "}
      {signedOut && (
        <a href="/login" target="_blank" rel="noopener" className="underline">
          {t("composer.loginBeside")}
        </a>
      )}
    </p>
  );
}
