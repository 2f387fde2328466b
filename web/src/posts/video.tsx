import { type EmbeddedPlayer, embeddedPlayerOf } from "@tandem/contract/embedded-players";
import type { Post } from "@tandem/contract/post-resources";
import { ExternalLink, Play } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useChoice } from "../data/choices.ts";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { OutboundLink } from "../ui/link.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { formatDuration } from "./format-duration.ts";
import { BlurredPreview, MediaPlaceholder, mediaClass } from "./media-frame.tsx";
import { originalOf, previewOf } from "./post-links.ts";

const Player = lazyComponent(() => import("./player.tsx"));
const EmbeddedVideo = lazyComponent(() => import("./embedded-video.tsx"));

/** What started the playback: nothing yet, a click, or the reader's autoplay choice. */
type PlayTrigger = "no" | "press" | "view";

/** A video or animated picture. Shows its poster until it plays. */
export function Video({ post, src }: { post: Post; src: string }) {
  const embedded = embeddedPlayerOf(post);
  return embedded ? <OtherSitesVideo post={post} player={embedded} /> : <FileVideo post={post} src={src} />;
}

/** The video of another site, of which nothing is loaded before a click. The poster comes from this server. */
export function OtherSitesVideo({
  post,
  player: { site },
  isPart = false,
}: {
  post: Post;
  player: EmbeddedPlayer;
  /** Whether it is part of a box, which has the corners. */
  isPart?: boolean;
}) {
  const { t } = useText();
  const [isPlaying, setPlaying] = useState(false);
  const poster = <Poster post={post} />;
  return (
    <div className={`relative overflow-hidden bg-sunken ${isPart ? "" : "rounded-xl"}`}>
      {poster}
      {isPlaying ? (
        <EmbeddedVideo
          post={post}
          site={site}
          onStop={() => setPlaying(false)}
          onClose={() => setPlaying(false)}
        />
      ) : (
        <button
          type="button"
          className={playButtonClass}
          onClick={() => setPlaying(true)}
          aria-label={t("card.playFrom", { site })}
        >
          <PlayIcon />
          <span className={`${labelClass} start-2`}>{site}</span>
          <DurationLabel post={post} />
        </button>
      )}
    </div>
  );
}

function FileVideo({ post, src }: { post: Post; src: string }) {
  const [trigger, setTrigger] = useState<PlayTrigger>("no");
  const container = useRef<HTMLDivElement>(null);
  const [motion] = useChoice("motion");
  const externalUrl = hasEmbeddedPlayer(src) ? (originalOf(post) ?? src) : null;
  useAutoplayInView(container, motion === "play" && externalUrl === null && trigger === "no", () =>
    setTrigger("view"),
  );
  const poster = <Poster post={post} />;
  return (
    <div ref={container} className="relative overflow-hidden rounded-xl bg-sunken">
      {trigger === "no" ? (
        <>
          {poster}
          <PlayButton post={post} externalUrl={externalUrl} onPlay={() => setTrigger("press")} />
        </>
      ) : (
        <Player
          post={post}
          src={src}
          withSound={trigger === "press"}
          onStop={() => setTrigger("no")}
          fallback={poster}
          onClose={() => setTrigger("no")}
        />
      )}
    </div>
  );
}

/** Whether the URL is the embedded player of a site that isn't known as one. */
function hasEmbeddedPlayer(src: string): boolean {
  return /^https?:\/\/[^/]*(youtube(-nocookie)?\.com|youtu\.be)\/|\/(videos\/)?embed\//i.test(src);
}

/** Calls `onSeen` once the element is in view, if autoplay is enabled. */
function useAutoplayInView(
  container: RefObject<HTMLElement | null>,
  enabled: boolean,
  onSeen: () => void,
): void {
  useEffect(() => {
    if (!enabled) return;
    const controller = new AbortController();
    import("./in-view.ts").then(
      ({ onceInView }) => onceInView(container.current, onSeen, controller.signal),
      () => {},
    );
    return () => controller.abort();
  });
}

function Poster({ post }: { post: Post }) {
  const [isBroken, imageProps] = useBrokenImage();
  const { thumbHash, width, height, alt } = post;
  const preview = previewOf(post);
  return (
    <>
      <BlurredPreview hash={thumbHash} />
      {preview === null || isBroken ? (
        <MediaPlaceholder width={width} height={height} />
      ) : (
        <img
          {...imageProps}
          src={preview}
          alt={alt ?? ""}
          loading="lazy"
          decoding="async"
          {...(width && height && { width, height })}
          className={`relative ${width && height ? mediaClass : "aspect-video h-auto w-full object-cover"}`}
        />
      )}
    </>
  );
}

const playButtonClass = "group absolute inset-0 grid w-full place-items-center rounded-xl";
const labelClass =
  "absolute bottom-2 rounded-md bg-black/70 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums";
const playIconClass =
  "grid size-16 place-items-center rounded-full bg-black/65 text-white transition group-hover:scale-105 group-hover:bg-black/80";

function PlayButton({
  post,
  externalUrl,
  onPlay,
}: {
  post: Post;
  externalUrl: string | null;
  onPlay(): void;
}) {
  const { t } = useText();
  if (externalUrl !== null)
    return (
      <OutboundLink
        href={externalUrl}
        className={playButtonClass}
        aria-label={t("card.playAt", { source: t(`platform.${post.platform}`) })}
      >
        <span className={playIconClass}>
          <ExternalLink className="size-6" aria-hidden="true" />
        </span>
      </OutboundLink>
    );
  return (
    <button
      type="button"
      className={playButtonClass}
      onClick={onPlay}
      aria-label={t(post.mediaType === "gif" ? "card.playGif" : "card.play")}
    >
      <PlayIcon />
      <DurationLabel post={post} />
    </button>
  );
}

const PlayIcon = () => (
  <span className={playIconClass}>
    <Play className="ms-1 size-7 fill-current" aria-hidden="true" />
  </span>
);

/** The duration, or "GIF". */
function DurationLabel({ post: { mediaType, durationSeconds } }: { post: Post }) {
  const { t } = useText();
  const label =
    mediaType === "gif" ? t("card.gif") : durationSeconds === null ? null : formatDuration(durationSeconds);
  return label && <span className={`${labelClass} end-2`}>{label}</span>;
}
