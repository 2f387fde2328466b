import type { Post } from "@tandem/contract/post-resources";
import { remotePicture } from "@tandem/contract/remote-pictures";
import { ExternalLink, Play } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useChoice } from "../data/choices.ts";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { OutboundLink } from "../ui/link.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { formatDuration } from "./format-duration.ts";
import { BlurredPreview, MediaPlaceholder, mediaClass } from "./media-frame.tsx";
import { originalOf } from "./post-links.ts";

const Player = lazyComponent(() => import("./player.tsx"));

/** What started the playback: nothing yet, a click, or the reader's autoplay choice. */
type PlayTrigger = "no" | "press" | "view";

/** A video or animated picture. Shows its poster until it plays. */
export function Video({ post, src }: { post: Post; src: string }) {
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

/** Whether the URL is an embedded player, which the security policy blocks. */
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
  const { id, thumbnailUrl, thumbHash, width, height, alt } = post;
  return (
    <>
      <BlurredPreview hash={thumbHash} />
      {thumbnailUrl === null || isBroken ? (
        <MediaPlaceholder width={width} height={height} />
      ) : (
        <img
          {...imageProps}
          src={remotePicture(`posts/${id}`, thumbnailUrl)}
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
  const className = "group absolute inset-0 grid w-full place-items-center rounded-xl";
  if (externalUrl !== null)
    return (
      <OutboundLink
        href={externalUrl}
        className={className}
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
      className={className}
      onClick={onPlay}
      aria-label={t(post.mediaType === "gif" ? "card.playGif" : "card.play")}
    >
      <span className={playIconClass}>
        <Play className="ms-1 size-7 fill-current" aria-hidden="true" />
      </span>
      <DurationLabel post={post} />
    </button>
  );
}

/** The duration, or "GIF". */
function DurationLabel({ post: { mediaType, durationSeconds } }: { post: Post }) {
  const { t } = useText();
  const label =
    mediaType === "gif" ? t("card.gif") : durationSeconds === null ? null : formatDuration(durationSeconds);
  return (
    label && (
      <span className="absolute end-2 bottom-2 rounded-md bg-black/70 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums">
        {label}
      </span>
    )
  );
}
