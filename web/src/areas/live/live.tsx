import type { Live as Broadcast } from "@tandem/contract/resources";
import { Radio } from "lucide-react";
import { useState } from "react";
import { livesQuery } from "../../data/lives.ts";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { liveAddress } from "../../shared/addresses.ts";
import { page } from "../../shared/page.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Byline, BylineItem } from "../../ui/byline.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Link } from "../../ui/link.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useNearViewport } from "../../ui/use-near-viewport.ts";
import { LiveBadge } from "./live-badge.tsx";
import { useLives } from "./use-lives.ts";
import { ViewerCount } from "./viewer-count.tsx";

const GoLiveDialog = lazyComponent(() => import("./go-live.tsx"));

export const Live = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(livesQuery(api)),
  head: ({ i18n }) => ({
    title: i18n._("live.title"),
    description: i18n._("live.description"),
    canonical: "/live",
  }),
  View: LiveView,
});

function LiveView() {
  const { t } = useText();
  const me = useMe();
  const [isGoLiveOpen, setGoLiveOpen] = useState(false);
  const { data: lives } = useLives();
  const goLiveButton = me ? (
    <Button variant="primary" onClick={() => setGoLiveOpen(true)}>
      <Radio className="size-4" aria-hidden="true" />
      {t("live.go")}
    </Button>
  ) : (
    <ButtonLink to="/login" search={{ next: "/live" }} variant="primary">
      <Radio className="size-4" aria-hidden="true" />
      {t("live.go")}
    </ButtonLink>
  );
  return (
    <div className="column max-w-4xl">
      <PageTitle description={t("live.description")} actions={lives && lives.length > 0 && goLiveButton}>
        {t("live.title")}
      </PageTitle>
      {!lives ? (
        <SkeletonCards count={1} />
      ) : lives.length === 0 ? (
        <EmptyState drawing="live" title={t("live.empty")} action={goLiveButton}>
          {t("live.emptyDescription")}
        </EmptyState>
      ) : (
        <ul className="grid gap-3 px-4 sm:grid-cols-2 sm:gap-4 sm:px-0 wide:grid-cols-3">
          {lives.map((live) => (
            <LiveCard key={live.username} live={live} />
          ))}
        </ul>
      )}
      {isGoLiveOpen && me && <GoLiveDialog username={me.username} onClose={() => setGoLiveOpen(false)} />}
    </div>
  );
}

function LiveCard({ live }: { live: Broadcast }) {
  const { username, displayName, avatarUrl, title, isAiGenerated, startedAt, viewers, thumbnailUrl } = live;
  const [ref, isNear] = useNearViewport<HTMLLIElement>();
  return (
    <li ref={ref} className="card group relative overflow-hidden transition hover:border-edge">
      <div className={`relative grid aspect-video place-items-center bg-sunken`}>
        <Avatar name={displayName ?? username} src={avatarUrl} isAgent={isAiGenerated} size="large" />
        {thumbnailUrl && isNear && <Thumbnail src={thumbnailUrl} />}
        <span className="absolute start-3 top-3">
          <LiveBadge />
        </span>
        <ViewerCount
          viewers={viewers}
          className="absolute start-3 bottom-3 rounded-md bg-black/75 px-2 py-0.5 text-white"
        />
      </div>
      <div className="p-4">
        <h2 className="theirs line-clamp-2 leading-snug font-semibold">
          <Link
            to={liveAddress(username)}
            className="after:absolute after:inset-0 after:rounded-card group-hover:underline"
          >
            {title}
          </Link>
        </h2>
        <Byline className="mt-1">
          <BylineItem dot={false}>
            <span className="inline-flex min-w-0 gap-x-1.5">
              <LocalName username={username} displayName={displayName} />
            </span>
          </BylineItem>
          {startedAt && (
            <BylineItem>
              <Time isAge at={startedAt} />
            </BylineItem>
          )}
        </Byline>
        {isAiGenerated && (
          <p className="mt-1">
            <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" />
          </p>
        )}
      </div>
    </li>
  );
}

/** A recent picture of the stream. It covers the avatar once it is loaded. */
function Thumbnail({ src }: { src: string }) {
  const [loaded, setLoaded] = useState<string | null>(null);
  return (
    <>
      {loaded && <img src={loaded} alt="" className="absolute inset-0 size-full object-cover" />}
      {/* Loads the next picture before it replaces the last. */}
      {src !== loaded && <img src={src} alt="" hidden onLoad={() => setLoaded(src)} />}
    </>
  );
}
