import type { Post } from "@tandem/contract/resources";
import { Pause } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { filling } from "./media-frame.tsx";
import Lost from "./media-unavailable.tsx";

interface Playing {
  post: Post;
  src: string;
  /** Whether a press began it; what begins by itself has no sound. */
  pressed: boolean;
  onStill(): void;
}

/** What plays: a video, or a moving picture, be it one file or the other. */
export default function Player(playing: Playing) {
  const [lost, setLost] = useState(false);
  if (lost) return <Lost post={playing.post} />;
  const still = /\.(gif|webp|avif|png)([?#]|$)/i.test(playing.src);
  return still ? (
    <MovingPicture {...playing} onLost={() => setLost(true)} />
  ) : (
    <Video {...playing} onLost={() => setLost(true)} />
  );
}

function sides({ width, height }: Post) {
  return width && height ? { width, height } : {};
}

const look = ({ width, height }: Post) =>
  width && height ? filling : "block aspect-video h-auto w-full object-contain";

function Video({ post, src, pressed, onLost }: Playing & { onLost(): void }) {
  const { t } = useText();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const { current } = video;
    return current ? begin(current, src, onLost) : undefined;
  }, [src, onLost]);
  const looping = post.mediaType === "gif";
  return (
    <video
      ref={video}
      aria-label={post.alt ?? t("card.video")}
      poster={post.thumbnailUrl ?? undefined}
      controls
      muted={!pressed || looping}
      loop={looping}
      playsInline
      preload="metadata"
      {...sides(post)}
      className={`${look(post)} bg-black`}
      onPlay={({ currentTarget }) => silenceOthers(currentTarget)}
    >
      <track kind="captions" />
    </video>
  );
}

/** Plays while it is in view; gives back what ends that. */
function begin(video: HTMLVideoElement, src: string, onLost: () => void): () => void {
  const end = new AbortController();
  let pausedByUs = true;
  const play = () => void video.play().catch(() => {});
  const watch = new IntersectionObserver(
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
  video.addEventListener("play", () => (pausedByUs = false), { signal: end.signal });
  void load(video, src, end.signal, onLost).then(() => !end.signal.aborted && watch.observe(video));
  return () => {
    end.abort();
    watch.disconnect();
  };
}

/**
 * Playlists need a library in most browsers; it is fetched where one is to play. Some play them by themselves, but without
 * subtitles: so only where nothing else does.
 */
async function load(
  video: HTMLVideoElement,
  src: string,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  const playlist = /\.m3u8([?#]|$)/i.test(src);
  const alone = !("MediaSource" in window) && video.canPlayType("application/vnd.apple.mpegurl");
  if (!playlist || alone) {
    video.addEventListener("error", onLost, { signal });
    video.src = src;
    return;
  }
  const { default: Hls } = await import("hls.js");
  if (!Hls.isSupported()) return onLost();
  if (signal.aborted) return;
  const hls = new Hls();
  hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && onLost());
  hls.loadSource(src);
  hls.attachMedia(video);
  signal.addEventListener("abort", () => hls.destroy());
}

/** One at a time. */
function silenceOthers(playing: HTMLVideoElement): void {
  for (const other of document.querySelectorAll("video")) if (other !== playing) other.pause();
}

/** A moving picture has no controls of its own: a press stops it. */
function MovingPicture({ post, src, onStill, onLost }: Playing & { onLost(): void }) {
  const { t } = useText();
  return (
    <>
      <img src={src} alt={post.alt ?? ""} {...sides(post)} className={look(post)} onError={onLost} />
      <button
        type="button"
        aria-label={t("card.pause")}
        title={t("card.pause")}
        onClick={onStill}
        className="absolute end-2 bottom-2 grid size-10 place-items-center rounded-full bg-black/65 text-white"
      >
        <Pause className="size-5 fill-current" aria-hidden="true" />
      </button>
    </>
  );
}
