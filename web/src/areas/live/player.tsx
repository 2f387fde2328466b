import { Play, RotateCw } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useChoice } from "../../data/choices.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button, Spinner } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { type PlayState, useStream } from "./use-stream.ts";

/**
 * A live stream, or why there is none. It starts on click; or automatically and muted, if the reader has
 * chosen that.
 */
export function Player({
  hlsUrl,
  hasEnded,
  name,
}: {
  hlsUrl: string | null;
  hasEnded: boolean;
  name: string;
}) {
  const { t } = useText();
  const video = useRef<HTMLVideoElement>(null);
  const [start, setStart] = useChoice("stream");
  const autoplay = start === "play";
  const { state, play } = useStream(video, hlsUrl);
  const isLive = hlsUrl !== null;
  useEffect(() => {
    const reduceMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isLive && autoplay && !reduceMotion && state === "idle") play(true);
  }, [isLive, autoplay, state, play]);
  return (
    <div className="flex flex-col gap-2">
      <div className="relative aspect-video overflow-hidden bg-black text-white sm:rounded-card">
        <video
          ref={video}
          playsInline
          controls={state === "playing"}
          aria-label={t("live.streamOf", { username: name })}
          className="size-full object-contain"
        >
          <track kind="captions" />
        </video>
        <PlayerOverlay state={displayState(state, isLive, hasEnded)} name={name} onPlay={() => play(false)} />
      </div>
      <div className="px-4 sm:px-0">
        <Checkbox
          label={t("live.autoplay")}
          checked={autoplay}
          onChange={({ target }) => setStart(target.checked ? "play" : "click")}
        />
      </div>
    </div>
  );
}

type DisplayState = PlayState | "away" | "ended";

function displayState(state: PlayState, isLive: boolean, ended: boolean): DisplayState {
  if (isLive) return state;
  return ended ? "ended" : "away";
}

/** Covers the video while it doesn't play. */
function PlayerOverlay({ state, name, onPlay }: { state: DisplayState; name: string; onPlay(): void }) {
  const { t } = useText();
  if (state === "playing") return <span role="status" className="sr-only" />;
  const content: Record<Exclude<DisplayState, "playing">, ReactNode> = {
    idle: (
      <Button variant="primary" onClick={onPlay} className="min-h-12 px-6">
        <Play className="size-5 fill-current" aria-hidden="true" />
        {t("live.play")}
      </Button>
    ),
    waiting: (
      <p className="flex items-center gap-3">
        <Spinner />
        {t("live.waiting")}
      </p>
    ),
    failed: (
      <>
        <p>{t("live.failed")}</p>
        <Button onClick={onPlay}>
          <RotateCw className="size-4" aria-hidden="true" />
          {t("common.retry")}
        </Button>
      </>
    ),
    unable: <p>{t("live.unsupported")}</p>,
    ended: <p className="text-lg font-semibold">{t("live.streamEnded")}</p>,
    away: (
      <>
        <p className="text-lg font-semibold">{t("live.notLive", { name })}</p>
        <p className="text-white/80">{t("live.notLiveDescription")}</p>
      </>
    ),
  };
  return (
    <div
      role="status"
      className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-neutral-900 px-6 text-center"
    >
      {content[state]}
    </div>
  );
}
