import type { Post } from "@tandem/contract/resources";
import { ExternalLink, Play } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useChoice } from "../data/choices.ts";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Away } from "../ui/link.tsx";
import { useBroken } from "../ui/use-broken-image.ts";
import { Blur, filling, Holder } from "./media-frame.tsx";
import { originalOf } from "./post-links.ts";

const Player = lazyComponent(() => import("./player.tsx"));

/** Who asked for it to play: nobody, a press, or the reader's wish that what moves does so while it is in view. */
type Asked = "no" | "press" | "view";

/** A video or a moving picture: its poster, until it is to play. */
export function Moving({ post, src }: { post: Post; src: string }) {
  const [asked, setAsked] = useState<Asked>("no");
  const place = useRef<HTMLDivElement>(null);
  const [motion] = useChoice("motion");
  const elsewhere = playsElsewhere(src) ? (originalOf(post) ?? src) : null;
  useInView(place, motion === "play" && elsewhere === null && asked === "no", () => setAsked("view"));
  const poster = <Poster post={post} />;
  return (
    <div ref={place} className="relative overflow-hidden rounded-xl bg-sunken">
      {asked === "no" ? (
        <>
          {poster}
          <PlayButton post={post} elsewhere={elsewhere} onPlay={() => setAsked("press")} />
        </>
      ) : (
        <Player
          post={post}
          src={src}
          pressed={asked === "press"}
          onStill={() => setAsked("no")}
          fallback={poster}
          onClose={() => setAsked("no")}
        />
      )}
    </div>
  );
}

/** Pages with a player of their own in them, which this app's security policy doesn't let in. */
function playsElsewhere(src: string): boolean {
  return /^https?:\/\/[^/]*(youtube(-nocookie)?\.com|youtu\.be)\/|\/(videos\/)?embed\//i.test(src);
}

/** Calls once it is in view, where the reader wants what moves to do so by itself. */
function useInView(place: RefObject<HTMLElement | null>, waiting: boolean, onSeen: () => void): void {
  useEffect(() => {
    if (!waiting) return;
    const end = new AbortController();
    import("./in-view.ts").then(
      ({ onceInView }) => onceInView(place.current, onSeen, end.signal),
      () => {},
    );
    return () => end.abort();
  });
}

function Poster({ post }: { post: Post }) {
  const [broken, watch] = useBroken();
  const { thumbnailUrl, thumbHash, width, height, alt } = post;
  return (
    <>
      <Blur hash={thumbHash} />
      {thumbnailUrl === null || broken ? (
        <Holder width={width} height={height} />
      ) : (
        <img
          {...watch}
          src={thumbnailUrl}
          alt={alt ?? ""}
          loading="lazy"
          decoding="async"
          {...(width && height && { width, height })}
          className={`relative ${width && height ? filling : "aspect-video h-auto w-full object-cover"}`}
        />
      )}
    </>
  );
}

const disc =
  "grid size-16 place-items-center rounded-full bg-black/65 text-white transition group-hover:scale-105 group-hover:bg-black/80";

function PlayButton({ post, elsewhere, onPlay }: { post: Post; elsewhere: string | null; onPlay(): void }) {
  const { t } = useText();
  const look = "group absolute inset-0 grid w-full place-items-center rounded-xl";
  if (elsewhere !== null)
    return (
      <Away
        href={elsewhere}
        className={look}
        aria-label={t("card.playAt", { source: t(`platform.${post.platform}`) })}
      >
        <span className={disc}>
          <ExternalLink className="size-6" aria-hidden="true" />
        </span>
      </Away>
    );
  return (
    <button type="button" className={look} onClick={onPlay} aria-label={t("card.play")}>
      <span className={disc}>
        <Play className="ms-1 size-7 fill-current" aria-hidden="true" />
      </span>
      <Label post={post} />
    </button>
  );
}

/** How long it is, or that it is a moving picture. */
function Label({ post: { mediaType, durationSeconds } }: { post: Post }) {
  const { t } = useText();
  const says = mediaType === "gif" ? t("card.gif") : durationSeconds === null ? null : clock(durationSeconds);
  return (
    says && (
      <span className="absolute end-2 bottom-2 rounded-md bg-black/70 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums">
        {says}
      </span>
    )
  );
}

/** Seconds as players write them: 1:05, 1:00:00. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
