import type { Post } from "@tandem/contract/post-resources";
import { Pause } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { mediaClass } from "./media-frame.tsx";
import MediaUnavailable from "./media-unavailable.tsx";

interface PlayerProps {
  post: Post;
  src: string;
  /** Whether the reader pressed play. Media that plays automatically is muted. */
  withSound: boolean;
  onStop(): void;
}

/** Plays a video or an animated image, depending on the file. */
export default function Player(props: PlayerProps) {
  const [isUnavailable, setUnavailable] = useState(false);
  if (isUnavailable) return <MediaUnavailable post={props.post} />;
  const isImage = /\.(gif|webp|avif|png)([?#]|$)/i.test(props.src);
  return isImage ? (
    <AnimatedImage {...props} onUnavailable={() => setUnavailable(true)} />
  ) : (
    <VideoElement {...props} onUnavailable={() => setUnavailable(true)} />
  );
}

function dimensions({ width, height }: Post) {
  return width && height ? { width, height } : {};
}

const mediaClassOf = ({ width, height }: Post) =>
  width && height ? mediaClass : "block aspect-video h-auto w-full object-contain";

function VideoElement({ post, src, withSound, onUnavailable }: PlayerProps & { onUnavailable(): void }) {
  const { t } = useText();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const { current } = video;
    return current ? startPlayback(current, src, onUnavailable) : undefined;
  }, [src, onUnavailable]);
  const looping = post.mediaType === "gif";
  return (
    <video
      ref={video}
      aria-label={post.alt ?? t("card.video")}
      poster={post.thumbnailUrl ?? undefined}
      controls
      muted={!withSound || looping}
      loop={looping}
      playsInline
      preload="metadata"
      {...dimensions(post)}
      className={`${mediaClassOf(post)} bg-black`}
      onPlay={({ currentTarget }) => pauseOtherVideos(currentTarget)}
    >
      <track kind="captions" />
    </video>
  );
}

/** Plays while the video is in view. Returns a function that stops this. */
function startPlayback(video: HTMLVideoElement, src: string, onUnavailable: () => void): () => void {
  const controller = new AbortController();
  let pausedByUs = true;
  const play = () => void video.play().catch(() => {});
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.at(-1);
      if (!entry) return;
      if (entry.isIntersecting && pausedByUs) play();
      else if (!entry.isIntersecting && !video.paused) {
        pausedByUs = true;
        video.pause();
      }
    },
    { threshold: 0.2 },
  );
  video.addEventListener("play", () => (pausedByUs = false), { signal: controller.signal });
  void load(video, src, controller.signal, onUnavailable).then(
    () => !controller.signal.aborted && observer.observe(video),
  );
  return () => {
    controller.abort();
    observer.disconnect();
  };
}

/**
 * Loads a video. HLS playlists need hls.js in most browsers. Native playback shows no subtitles, so it is
 * used only where hls.js can't run.
 */
async function load(
  video: HTMLVideoElement,
  src: string,
  signal: AbortSignal,
  onUnavailable: () => void,
): Promise<void> {
  const isPlaylist = /\.m3u8([?#]|$)/i.test(src);
  const isNative = !("MediaSource" in window) && video.canPlayType("application/vnd.apple.mpegurl");
  if (!isPlaylist || isNative) {
    video.addEventListener("error", onUnavailable, { signal });
    video.src = src;
    return;
  }
  const { default: Hls } = await import("hls.js");
  if (!Hls.isSupported()) return onUnavailable();
  if (signal.aborted) return;
  const hls = new Hls();
  hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && onUnavailable());
  hls.loadSource(src);
  hls.attachMedia(video);
  signal.addEventListener("abort", () => hls.destroy());
}

/** Only one video plays at a time. */
function pauseOtherVideos(props: HTMLVideoElement): void {
  for (const other of document.querySelectorAll("video")) if (other !== props) other.pause();
}

/** An animated image has no controls of its own; a button stops it. */
function AnimatedImage({ post, src, onStop, onUnavailable }: PlayerProps & { onUnavailable(): void }) {
  const { t } = useText();
  return (
    <>
      <img
        src={src}
        alt={post.alt ?? ""}
        {...dimensions(post)}
        className={mediaClassOf(post)}
        onError={onUnavailable}
      />
      <button
        type="button"
        aria-label={t("card.pause")}
        title={t("card.pause")}
        onClick={onStop}
        className="absolute end-2 bottom-2 grid size-10 place-items-center rounded-full bg-black/65 text-white"
      >
        <Pause className="size-5 fill-current" aria-hidden="true" />
      </button>
    </>
  );
}
