import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { chooseTheme, currentTheme, storedTheme } from "../../data/theme.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { isLocalPath } from "../../shared/addresses.ts";
import { Button } from "../../ui/button.tsx";

/** Milliseconds between two connection checks. */
const CHECK_INTERVAL = 3_000;

/** The path to return to; always one of this app. */
const returnPath = (from: unknown): string =>
  typeof from === "string" && isLocalPath(from) && !from.startsWith("/offline") ? from : "/";

/** Shown without a network. Returns to the requested page once the server can be reached. */
export function OfflineView() {
  const { t } = useText();
  const { from } = useSearch();
  useEffect(() => {
    // The cached page was rendered without the reader's theme.
    if (storedTheme() !== currentTheme()) chooseTheme(storedTheme());
    const check = async () => {
      // Being online doesn't mean that the server can be reached.
      const response = await fetch("/manifest.webmanifest", { method: "HEAD", cache: "no-store" }).catch(
        () => null,
      );
      if (response?.ok) location.replace(returnPath(from));
    };
    const timer = setInterval(() => navigator.onLine && check(), CHECK_INTERVAL);
    addEventListener("online", check);
    return () => {
      clearInterval(timer);
      removeEventListener("online", check);
    };
  }, [from]);
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-6 py-20 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-sunken text-soft">
        <WifiOff className="size-8" aria-hidden="true" />
      </span>
      <h1 className="text-2xl font-bold">{t("public.offline")}</h1>
      <p className="text-soft">{t("public.offlineDescription")}</p>
      <Button variant="primary" onClick={() => location.replace(returnPath(from))}>
        {t("common.retry")}
      </Button>
    </div>
  );
}
