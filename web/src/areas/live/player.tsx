import { Play, RotateCw } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button, Spinner } from "../../ui/button.tsx";
import { Tick } from "../../ui/field.tsx";
import { type PlayState, useStream } from "./use-stream.ts";

/** Under this name a browser remembers that streams may begin by themselves. */
const CHOICE = "live-begins-by-itself";

/** A stream, or why there is none. It begins on a press; by itself, and muted, for who chose that. */
export function Player({ hlsUrl, ended, name }: { hlsUrl: string | null; ended: boolean; name: string }) {
  const { t } = useText();
  const video = useRef<HTMLVideoElement>(null);
  const [itself, choose] = useChoice();
  const { state, begin } = useStream(video, hlsUrl);
  const live = hlsUrl !== null;
  useEffect(() => {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (live && itself && !still && state === "idle") begin(true);
  }, [live, itself, state, begin]);
  return (
    <div className="flex flex-col gap-2">
      <div className="relative aspect-video overflow-hidden bg-black text-white sm:rounded-card">
        <video
          ref={video}
          playsInline
          controls={state === "playing"}
          aria-label={t("live.of", { username: name })}
          className="size-full object-contain"
        >
          <track kind="captions" />
        </video>
        <Over state={shownState(state, live, ended)} name={name} onBegin={() => begin(false)} />
      </div>
      <div className="px-4 sm:px-0">
        <Tick label={t("live.byItself")} checked={itself} onChange={({ target }) => choose(target.checked)} />
      </div>
    </div>
  );
}

type Shown = PlayState | "away" | "ended";

function shownState(state: PlayState, live: boolean, ended: boolean): Shown {
  if (live) return state;
  return ended ? "ended" : "away";
}

/** What lies over a picture that doesn't play. */
function Over({ state, name, onBegin }: { state: Shown; name: string; onBegin(): void }) {
  const { t } = useText();
  if (state === "playing") return <span role="status" className="sr-only" />;
  const says: Record<Exclude<Shown, "playing">, ReactNode> = {
    idle: (
      <Button look="primary" onClick={onBegin} className="min-h-12 px-6">
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
        <Button onClick={onBegin}>
          <RotateCw className="size-4" aria-hidden="true" />
          {t("common.again")}
        </Button>
      </>
    ),
    unable: <p>{t("live.unable")}</p>,
    ended: <p className="text-lg font-semibold">{t("live.over")}</p>,
    away: (
      <>
        <p className="text-lg font-semibold">{t("live.away", { name })}</p>
        <p className="text-white/80">{t("live.awaySays")}</p>
      </>
    ),
  };
  return (
    <div
      role="status"
      className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-neutral-900 px-6 text-center"
    >
      {says[state]}
    </div>
  );
}

/** Kept by the browser; where it keeps nothing, it holds until the page is left. */
function useChoice(): [boolean, (now: boolean) => void] {
  const [chosen, setChosen] = useState(false);
  useEffect(() => setChosen(localStorage.getItem(CHOICE) === "1"), []);
  return [
    chosen,
    (now) => {
      setChosen(now);
      localStorage.setItem(CHOICE, now ? "1" : "0");
    },
  ];
}
