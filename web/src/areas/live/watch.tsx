import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { creatorQuery, knownCreator } from "../../data/creators.ts";
import { livesQuery } from "../../data/lives.ts";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { creatorAddress, liveAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { previewText } from "../../shared/preview-text.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Chat } from "./chat.tsx";
import { EndButton } from "./end-button.tsx";
import { LiveBadge } from "./live-badge.tsx";
import { Player } from "./player.tsx";
import { useLives } from "./use-lives.ts";
import { ViewerCount } from "./viewer-count.tsx";

const creatorRefOf = (username = "") => ({ platform: "native" as const, author: username });

export const Watch = page({
  load: ({ api, queryClient, params: { username } }) =>
    Promise.all([
      queryClient.ensureQueryData(livesQuery(api)),
      queryClient.ensureQueryData(creatorQuery(api, creatorRefOf(username))),
    ]),
  head: ({ api, queryClient, i18n, params: { username = "" } }) => {
    const live = queryClient
      .getQueryData(livesQuery(api).queryKey)
      ?.find((stream) => stream.username === username);
    const creator = knownCreator(queryClient, api, creatorRefOf(username));
    const name = fullName(username, creator?.displayName);
    return {
      title: live?.title ?? i18n._("live.streamOf", { username: name }),
      description: previewText(
        live?.isAiGenerated ? i18n._("provenance.ai_generated") : null,
        i18n._("live.isLive", { username: name }),
      ),
      canonical: liveAddress(username),
      kind: "video.other" as const,
      image: creator?.avatarUrl ?? null,
      // While no one streams, there is nothing to index.
      unlisted: live === undefined,
    };
  },
  View: WatchView,
});

function WatchView() {
  const { t } = useText();
  const me = useMe();
  const api = useApi();
  const { username = "" } = useParams();
  const { data: lives = [] } = useLives();
  const { data: creator } = useQuery(creatorQuery(api, creatorRefOf(username)));
  const live = lives.find((stream) => stream.username.toLowerCase() === username.toLowerCase());
  // Tells a stream that ended from one that hasn't started.
  const wasLive = useRef(false);
  // The chat stays for those who watched until the end.
  const chat = useRef<number | null>(null);
  if (live) {
    wasLive.current = true;
    chat.current = live.postId;
  }
  const postId = chat.current;
  const name = creator?.displayName ?? username;
  const isOwn = me?.username.toLowerCase() === username.toLowerCase();
  return (
    <div
      className={`column grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:pt-4 ${postId === null ? "max-w-4xl" : "max-w-4xl wide:max-w-none wide:grid-cols-[minmax(0,1fr)_22rem]"}`}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <Player
          key={live?.hlsUrl}
          hlsUrl={live?.hlsUrl ?? null}
          hasEnded={wasLive.current && !live}
          name={name}
        />
        <div className="flex flex-wrap items-start justify-between gap-3 px-4 sm:px-0">
          <div className="flex min-w-0 flex-col gap-2">
            <h1 className="theirs text-2xl leading-tight font-bold">
              {live?.title ?? t("live.streamOf", { username: name })}
            </h1>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Link
                to={creatorAddress(creatorRefOf(username))}
                className="flex min-w-0 items-center gap-2 hover:underline"
              >
                <Avatar
                  name={name}
                  src={creator?.avatarUrl ?? null}
                  isAgent={creator?.authorIsAgent ?? false}
                  size="small"
                />
                <span className="theirs font-semibold">{name}</span>
                <span className="theirs text-sm text-soft">@{creator?.author ?? username}</span>
                {creator?.authorIsAgent && <AgentBadge />}
              </Link>
              {live && <LiveBadge />}
              {live && <ViewerCount viewers={live.viewers} className="text-soft" />}
            </div>
          </div>
          <div className="flex items-center gap-3">
            {isOwn && live && <EndButton />}
            {!live && <ButtonLink to="/live">{t("live.others")}</ButtonLink>}
          </div>
        </div>
      </div>
      {postId !== null && <Chat key={postId} post={postId} username={username} />}
    </div>
  );
}
