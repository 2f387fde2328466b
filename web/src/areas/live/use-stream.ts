import type Hls from "hls.js";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** `unable`: the browser can't play what streams consist of. */
export type PlayState = "idle" | "waiting" | "playing" | "failed" | "unable";

/** Milliseconds until a stream that isn't there yet is looked for again. */
const AGAIN = 2_000;
/** How often, before the reader is asked. */
const TIMES = 15;

const HLS = "application/vnd.apple.mpegurl";

/** Plays one stream in a video element: by hls.js, which is loaded then, or by the browser itself where that alone can. */
export function useStream(video: RefObject<HTMLVideoElement | null>, hlsUrl: string | null) {
  const [state, setState] = useState<PlayState>("idle");
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  const begin = useCallback(
    (muted: boolean) => {
      if (!video.current || hlsUrl === null) return;
      stop.current();
      video.current.muted = muted;
      setState("waiting");
      stop.current = play(video.current, hlsUrl, setState);
    },
    [video, hlsUrl],
  );
  return { state, begin };
}

/** Gives back what ends it. */
function play(video: HTMLVideoElement, url: string, tell: (state: PlayState) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  video.addEventListener("playing", () => tell("playing"), { signal });
  if (!("MediaSource" in window) && video.canPlayType(HLS)) playNatively(video, url, tell, signal);
  else
    import("hls.js").then(
      ({ default: Player }) => !signal.aborted && playWith(Player, video, url, tell, signal),
      () => tell("failed"),
    );
  return () => ended.abort();
}

function playNatively(
  video: HTMLVideoElement,
  url: string,
  tell: (state: PlayState) => void,
  signal: AbortSignal,
): void {
  video.addEventListener("error", () => tell("failed"), { signal });
  signal.addEventListener("abort", () => video.removeAttribute("src"));
  video.src = url;
  void video.play().catch(() => tell("failed"));
}

function playWith(
  Player: typeof Hls,
  video: HTMLVideoElement,
  url: string,
  tell: (state: PlayState) => void,
  signal: AbortSignal,
): void {
  if (!Player.isSupported()) {
    tell("unable");
    return;
  }
  const hls = new Player({ liveDurationInfinity: true });
  let failures = 0;
  let timer: ReturnType<typeof setTimeout>;
  const again = () => {
    tell("waiting");
    timer = setTimeout(() => hls.loadSource(url), AGAIN);
  };
  hls.on(Player.Events.MANIFEST_PARSED, () => {
    failures = 0;
    // A browser may want a press before there is sound: then it begins without.
    video.play().catch(() => {
      video.muted = true;
      void video.play().catch(() => tell("idle"));
    });
  });
  hls.on(Player.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return;
    if (type === Player.ErrorTypes.MEDIA_ERROR && failures++ === 0) hls.recoverMediaError();
    else if (type === Player.ErrorTypes.NETWORK_ERROR && failures++ < TIMES) again();
    else tell("failed");
  });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    hls.destroy();
  });
  hls.attachMedia(video);
  hls.loadSource(url);
}
