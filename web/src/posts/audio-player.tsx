import { audioSeconds } from "@tandem/contract/audio";
import type { Post } from "@tandem/contract/post-resources";
import { LoaderCircle, Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { OutboundLink } from "../ui/link.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { formatDuration } from "./format-duration.ts";
import { hostOf, previewOf } from "./post-links.ts";

const AudioControls = lazyComponent(() => import("./audio-controls.tsx"));

/** `idle` until the reader first presses play: nothing is requested from the audio's host before. */
export type AudioState = "idle" | "loading" | "playing" | "paused" | "failed";

/** A post's audio: its cover, its length and its file until it plays, then the controls. */
export function AudioPlayer({ post, src }: { post: Post; src: string }) {
  const [state, setState] = useState<AudioState>("idle");
  const audio = useRef<HTMLAudioElement>(null);
  const onToggle = () => {
    if (state === "playing") audio.current?.pause();
    else if (state === "paused") void audio.current?.play().catch(() => {});
    else setState(state === "loading" ? "idle" : "loading");
  };
  const file = <AudioFile post={post} src={src} />;
  return (
    <div className="flex items-center gap-3.5 p-2.5">
      <PlayButton post={post} state={state} onToggle={onToggle} />
      <div className="flex min-h-14 min-w-0 flex-1 flex-col justify-center">
        {state === "idle" ? (
          file
        ) : (
          <AudioControls
            post={post}
            audio={audio}
            state={state}
            onChange={setState}
            file={file}
            fallback={file}
            onClose={() => setState("idle")}
          />
        )}
      </div>
    </div>
  );
}

/** On the cover, if there is one that isn't shown elsewhere. */
function PlayButton({ post, state, onToggle }: { post: Post; state: AudioState; onToggle(): void }) {
  const { t } = useText();
  const [isBroken, imageProps] = useBrokenImage();
  const { title, mediaType } = post;
  const cover = mediaType === "link" || mediaType === "text" ? previewOf(post) : null;
  const hasCover = cover !== null && !isBroken;
  const willPause = state === "playing" || state === "loading";
  const Icon = state === "loading" ? LoaderCircle : willPause ? Pause : Play;
  const play = title === null ? t("audio.play") : t("audio.playTitle", { title });
  return (
    <button
      type="button"
      aria-label={willPause ? t("audio.pause") : play}
      aria-busy={state === "loading" || undefined}
      onClick={onToggle}
      className={`group relative grid shrink-0 place-items-center ${hasCover ? "size-20 overflow-hidden rounded-lg bg-sunken" : "size-12 rounded-full"}`}
    >
      {hasCover && (
        <img
          {...imageProps}
          src={cover}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
      <span
        className={`relative grid place-items-center rounded-full transition ${hasCover ? "size-11 bg-black/65 text-white group-hover:bg-black/80" : "size-12 bg-accent text-on-accent group-hover:brightness-110"}`}
      >
        <Icon
          className={
            state === "loading" ? "size-5 animate-spin" : `size-5 fill-current ${willPause ? "" : "ms-0.5"}`
          }
          aria-hidden="true"
        />
      </span>
    </button>
  );
}

/** Where the file is, for other programs and without scripts, and how long it is. */
function AudioFile({ post, src }: { post: Post; src: string }) {
  const { t } = useText();
  const seconds = audioSeconds(post);
  return (
    <>
      <span className="text-sm font-semibold tabular-nums">
        {seconds === null ? t("audio.name") : t("audio.length", { length: formatDuration(seconds) })}
      </span>
      <OutboundLink
        href={src}
        className="block w-fit max-w-full truncate py-0.5 text-sm text-soft underline-offset-2 hover:text-ink hover:underline"
      >
        {t("audio.file", { host: hostOf(src) })}
        <span aria-hidden="true"> ↗</span>
      </OutboundLink>
    </>
  );
}
