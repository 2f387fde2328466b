import type { Post } from "@tandem/contract/post-resources";
import { Pause } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { MediaPlaceholder, mediaClass } from "./media-frame.tsx";
import MediaUnavailable from "./media-unavailable.tsx";
import { pauseOthers } from "./pause-others.ts";

interface PlayerProps {
  post: Post;
  src: string;
  /** Whether the reader pressed play. Media that plays automatically is muted. */
  withSound: boolean;
  onStop(): void;
}

/** Plays a video or an animated image. */
export default function Player(props: PlayerProps) {
  const [isUnavailable, setUnavailable] = useState(false);
  const onUnavailable = useCallback(() => setUnavailable(true), []);
  if (isUnavailable) return <MediaUnavailable post={props.post} />;
  const isOwn = props.src.startsWith("/");
  const Part = !isOwn ? RemoteMedia : /\.webp$/.test(props.src) ? OwnAnimation : OwnVideo;
  return <Part {...props} onUnavailable={onUnavailable} />;
}

type PartProps = PlayerProps & { onUnavailable(): void };

function OwnVideo({ post, src, withSound, onUnavailable }: PartProps) {
  const { t } = useText();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const { current } = video;
    return current ? startPlayback(current, current, onUnavailable) : undefined;
  }, [onUnavailable]);
  return (
    <video
      ref={video}
      src={src}
      aria-label={post.alt ?? t("card.video")}
      poster={post.thumbnailUrl ?? undefined}
      controls
      muted={!withSound || post.mediaType === "gif"}
      loop={post.mediaType === "gif"}
      playsInline
      preload="metadata"
      {...dimensions(post)}
      className={`${mediaClassOf(post)} bg-black`}
    >
      <track kind="captions" />
    </video>
  );
}

function OwnAnimation({ post, src, onStop, onUnavailable }: PartProps) {
  return (
    <>
      <img
        src={src}
        alt={post.alt ?? ""}
        {...dimensions(post)}
        className={mediaClassOf(post)}
        onError={onUnavailable}
      />
      <PauseButton onPause={onStop} />
    </>
  );
}

function dimensions({ width, height }: Post) {
  return width && height ? { width, height } : {};
}

const mediaClassOf = ({ width, height }: Post) =>
  width && height ? mediaClass : "block aspect-video h-auto w-full object-contain";

/** Animated images have no controls of their own. */
function PauseButton({ onPause }: { onPause(): void }) {
  const { t } = useText();
  return (
    <button
      type="button"
      aria-label={t("card.pause")}
      title={t("card.pause")}
      onClick={onPause}
      className="absolute end-2 bottom-2 grid size-10 place-items-center rounded-full bg-black/65 text-white"
    >
      <Pause className="size-5 fill-current" aria-hidden="true" />
    </button>
  );
}

/**
 * Media of another host are in a document of their own, whose security policy allows that host. This document's allows none,
 * whatever the reader goes on to.
 */
function RemoteMedia({ post, withSound, onStop, onUnavailable }: PartProps) {
  const { t } = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const [media, setMedia] = useState<HTMLVideoElement | HTMLImageElement>();
  const isMuted = !withSound || post.mediaType === "gif";
  useEffect(() => {
    if (!media || !frame.current) return;
    if (!isVideo(media)) return onError(media, media.naturalWidth === 0, onUnavailable);
    media.muted = isMuted;
    return startPlayback(media, frame.current, onUnavailable);
  }, [media, isMuted, onUnavailable]);
  const findMedia = () => {
    const found = frame.current?.contentDocument?.querySelector<HTMLVideoElement | HTMLImageElement>(
      "video, img",
    );
    if (found) setMedia(found);
    else onUnavailable();
  };
  return (
    <>
      <MediaPlaceholder {...post} />
      <iframe
        ref={frame}
        src={`/posts/${post.id}/player`}
        title={post.alt ?? t(post.mediaType === "gif" ? "card.gif" : "card.video")}
        allow="autoplay; fullscreen; picture-in-picture"
        className="absolute inset-0 size-full"
        onLoad={findMedia}
      />
      {media && !isVideo(media) && <PauseButton onPause={onStop} />}
    </>
  );
}

/** `instanceof` doesn't recognize elements of another document. */
const isVideo = (media: HTMLElement): media is HTMLVideoElement => media.localName === "video";

/** Calls `onUnavailable` if loading failed or fails. Returns a function that stops this. */
function onError(media: HTMLElement, hasFailed: boolean, onUnavailable: () => void): () => void {
  const controller = new AbortController();
  media.addEventListener("error", onUnavailable, { signal: controller.signal });
  if (hasFailed) onUnavailable();
  return () => controller.abort();
}

/** Plays while the element that shows the video is in view. Returns a function that stops this. */
function startPlayback(video: HTMLVideoElement, shownIn: Element, onUnavailable: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let pausedByUs = true;
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.at(-1);
      if (!entry) return;
      if (entry.isIntersecting && pausedByUs) void video.play().catch(() => {});
      else if (!entry.isIntersecting && !video.paused) {
        pausedByUs = true;
        video.pause();
      }
    },
    { threshold: 0.2 },
  );
  const onPlay = () => {
    pausedByUs = false;
    pauseOthers(video);
  };
  video.addEventListener("play", onPlay, { signal });
  const hasFailed = video.error !== null || video.dataset.failed !== undefined;
  const ignoreErrors = onError(video, hasFailed, onUnavailable);
  observer.observe(shownIn);
  return () => {
    controller.abort();
    ignoreErrors();
    observer.disconnect();
  };
}
