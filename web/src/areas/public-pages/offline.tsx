import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type LastFeed, readLastFeed } from "../../data/last-feed.ts";
import { meQuery } from "../../data/me.ts";
import { chooseTheme, currentTheme, storedTheme } from "../../data/theme.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { isLocalPath, offlineAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
// Not on demand, as in other empty states: what is imported here is in the cache when there is no network.
import Drawing from "../../ui/drawings.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { isServerReachable, useReconnect } from "../../ui/use-reconnect.ts";

const LastFeedList = lazyComponent(() => import("./last-feed.tsx"));

/** The path to return to; always one of this app. */
const returnPath = (from: unknown): string =>
  typeof from === "string" && isLocalPath(from) && !from.startsWith(offlineAddress) ? from : "/";

/** Shown without a network. Returns to the requested page once the server can be reached. */
export function OfflineView() {
  const { t } = useText();
  const { from } = useSearch();
  const feed = useLastFeed();
  useEffect(() => {
    // The cached page was rendered without the reader's theme.
    if (storedTheme() !== currentTheme()) chooseTheme(storedTheme());
  }, []);
  useReconnect(true, () => location.replace(returnPath(from)));
  return (
    <>
      <div
        className={`mx-auto flex max-w-md flex-col items-center gap-4 px-6 text-center ${feed ? "py-8" : "py-20"}`}
      >
        <Drawing name="offline" />
        <h1 className="text-2xl font-bold">{t("public.offline")}</h1>
        <p className="text-soft">{t("public.offlineDescription")}</p>
        <Button variant="primary" onClick={() => location.replace(returnPath(from))}>
          {t("common.retry")}
        </Button>
      </div>
      {feed && <LastFeedList feed={feed} />}
    </>
  );
}

/**
 * What a signed-in reader saw last. The cached page is the same for everyone, so it becomes theirs only after hydration: with the
 * navigation of their account.
 */
function useLastFeed(): LastFeed | null {
  const api = useApi();
  const queryClient = useQueryClient();
  const [feed, setFeed] = useState<LastFeed | null>(null);
  useEffect(() => {
    const show = async () => {
      const last = readLastFeed();
      // While the server can be reached, it says whose session this is.
      if (!last || (await isServerReachable())) return;
      queryClient.setQueryData(meQuery(api).queryKey, last.user);
      setFeed(last);
    };
    void show();
  }, [api, queryClient]);
  return feed;
}
