import { audioSeconds } from "@tandem/contract/audio";
import type { Post } from "@tandem/contract/post-resources";
import { RotateCcw, RotateCw } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { IconButton } from "../ui/button.tsx";
import type { AudioState } from "./audio-player.tsx";
import { formatDuration } from "./format-duration.ts";
import { pauseOthers } from "./pause-others.ts";

interface ControlsProps {
  post: Post;
  /** Set once the audio is there. */
  audio: RefObject<HTMLAudioElement | null>;
  state: AudioState;
  onChange(state: AudioState): void;
  /** Shown if the audio can't be played. */
  file: ReactNode;
}

/**
 * Plays a post's audio, and controls it. The audio is in a document of its own, in a frame without anything to see, because this
 * document's security policy allows no other host.
 */
export default function AudioControls({ post, audio, state, onChange, file }: ControlsProps) {
  const { t } = useText();
  const [element, setElement] = useState<HTMLAudioElement>();
  const onLoad = (frame: HTMLIFrameElement) => {
    const found = frame.contentDocument?.querySelector("audio");
    audio.current = found ?? null;
    if (found) setElement(found);
    else onChange("failed");
  };
  useEffect(() => (element ? startPlayback(element, onChange) : undefined), [element, onChange]);
  if (state === "failed")
    return (
      <>
        <span role="alert" className="text-sm font-semibold">
          {t("audio.failed")}
        </span>
        {file}
      </>
    );
  return (
    <>
      <iframe
        src={`/posts/${post.id}/audio`}
        title={t("audio.name")}
        aria-hidden="true"
        tabIndex={-1}
        allow="autoplay"
        className="absolute size-0"
        onLoad={({ currentTarget }) => onLoad(currentTarget)}
      />
      <Progress element={element} knownLength={audioSeconds(post)} />
    </>
  );
}

/** Returns a function that stops this. */
function startPlayback(audio: HTMLAudioElement, onChange: (state: AudioState) => void): () => void {
  const controller = new AbortController();
  const on = (event: string, act: () => void) =>
    audio.addEventListener(event, act, { signal: controller.signal });
  on("playing", () => onChange("playing"));
  on("pause", () => onChange("paused"));
  on("error", () => {
    controller.abort();
    onChange("failed");
  });
  on("play", () => pauseOthers(audio));
  // Refused if the browser doesn't count the press, which was in another document: the next one will do.
  audio.play().catch(() => audio.error === null && !controller.signal.aborted && onChange("paused"));
  return () => controller.abort();
}

/** The position, which can be changed, and the speed. */
function Progress({
  element,
  knownLength,
}: {
  element: HTMLAudioElement | undefined;
  knownLength: number | null;
}) {
  const { t } = useText();
  const [time, setTime] = useState(0);
  const [length, setLength] = useState(knownLength);
  useEffect(() => {
    if (!element) return;
    const controller = new AbortController();
    const update = () => {
      setTime(element.currentTime);
      if (Number.isFinite(element.duration)) setLength(element.duration);
    };
    for (const event of ["timeupdate", "durationchange", "seeking"])
      element.addEventListener(event, update, { signal: controller.signal });
    return () => controller.abort();
  }, [element]);
  const seek = (to: number) => {
    if (!element) return;
    element.currentTime = Math.max(0, length === null ? to : Math.min(to, length));
    setTime(element.currentTime);
  };
  const elapsed = formatDuration(Math.floor(time));
  const total = length === null ? null : formatDuration(length);
  return (
    <>
      <input
        type="range"
        min={0}
        max={Math.max(1, length ?? 1)}
        step={stepOf(length)}
        value={time}
        disabled={length === null}
        onChange={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
        aria-label={t("audio.position")}
        aria-valuetext={total === null ? elapsed : t("audio.positionOf", { elapsed, total })}
        className="h-6 w-full cursor-pointer disabled:cursor-default"
      />
      <div className="-my-1 flex items-center gap-0.5 text-sm text-soft tabular-nums">
        <span className="me-auto truncate" aria-hidden="true">
          {total === null ? elapsed : `${elapsed} / ${total}`}
        </span>
        <SkipButton by={-15} onSkip={(seconds) => seek(time + seconds)} />
        <SkipButton by={30} onSkip={(seconds) => seek(time + seconds)} />
        <SpeedButton element={element} />
      </div>
    </>
  );
}

/** Arrow keys move by five seconds; in short audio by a twentieth. */
function stepOf(length: number | null): number {
  return Math.min(5, Math.max(0.1, (length ?? 1) / 20));
}

/** Moves by some seconds, which the icon names. */
function SkipButton({ by, onSkip }: { by: number; onSkip(seconds: number): void }) {
  const { t } = useText();
  const Icon = by < 0 ? RotateCcw : RotateCw;
  const seconds = Math.abs(by);
  return (
    <IconButton
      label={t(by < 0 ? "audio.back" : "audio.forward", { seconds })}
      className="relative size-9"
      onClick={() => onSkip(by)}
    >
      <Icon className="size-6 stroke-[1.5]" aria-hidden="true" />
      <span className="absolute text-[0.5625rem] font-bold" aria-hidden="true">
        {seconds}
      </span>
    </IconButton>
  );
}

const speeds = [1, 1.25, 1.5, 2, 0.75];

/** Each press takes the next speed. */
function SpeedButton({ element }: { element: HTMLAudioElement | undefined }) {
  const { t, locale } = useText();
  const [speed, setSpeed] = useState(1);
  const shown = speed.toLocaleString(locale);
  const change = () => {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1;
    if (element) element.playbackRate = next;
    setSpeed(next);
  };
  return (
    <button
      type="button"
      aria-label={t("audio.speed", { speed: shown })}
      title={t("audio.speed", { speed: shown })}
      onClick={change}
      className="min-h-9 min-w-11 rounded-full px-1 font-semibold transition hover:bg-sunken hover:text-ink"
    >
      {shown}×
    </button>
  );
}
