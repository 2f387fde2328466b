import type Hls from "hls.js";
import type { Loader, PlaylistLoaderConstructor, PlaylistLoaderContext } from "hls.js";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** `unable`: the browser can't play HLS. */
export type PlayState = "idle" | "waiting" | "playing" | "failed" | "unable";

/** Milliseconds before looking again for a stream that isn't there yet. */
const RETRY_DELAY = 2_000;
/** Retries in a row before the reader has to try again. */
const MAX_RETRIES = 15;
/** The same, for pictures and sound that the browser can't play. */
const MAX_RECOVERIES = 3;

const HLS = "application/vnd.apple.mpegurl";

/**
 * Plays an HLS stream in a video element: with hls.js, loaded on demand, or natively where hls.js can't run.
 */
export function useStream(video: RefObject<HTMLVideoElement | null>, hlsUrl: string | null) {
  const [state, setState] = useState<PlayState>("idle");
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  const play = useCallback(
    (muted: boolean) => {
      if (!video.current || hlsUrl === null) return;
      stop.current();
      video.current.muted = muted;
      setState("waiting");
      stop.current = startPlayback(video.current, hlsUrl, setState);
    },
    [video, hlsUrl],
  );
  return { state, play };
}

/** Returns a function that stops the playback. */
function startPlayback(
  video: HTMLVideoElement,
  url: string,
  onState: (state: PlayState) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  video.addEventListener("playing", () => onState("playing"), { signal });
  if (!("MediaSource" in window) && video.canPlayType(HLS)) playNatively(video, url, onState, signal);
  else
    import("hls.js").then(
      ({ default: Player }) => !signal.aborted && playWith(Player, video, url, onState, signal),
      () => onState("failed"),
    );
  return () => controller.abort();
}

function playNatively(
  video: HTMLVideoElement,
  url: string,
  onState: (state: PlayState) => void,
  signal: AbortSignal,
): void {
  video.addEventListener("error", () => onState("failed"), { signal });
  signal.addEventListener("abort", () => video.removeAttribute("src"));
  video.src = url;
  void video.play().catch(() => onState("failed"));
}

function playWith(
  Player: typeof Hls,
  video: HTMLVideoElement,
  url: string,
  onState: (state: PlayState) => void,
  signal: AbortSignal,
): void {
  if (!Player.isSupported()) {
    onState("unable");
    return;
  }
  const hls = new Player({ liveDurationInfinity: true, pLoader: withLowNumbers(Player) });
  let failures = 0;
  // A slow device may stall often, and play in between.
  video.addEventListener("playing", () => (failures = 0), { signal });
  let timer: ReturnType<typeof setTimeout>;
  const retry = () => {
    onState("waiting");
    timer = setTimeout(() => hls.loadSource(url), RETRY_DELAY);
  };
  hls.on(Player.Events.MANIFEST_PARSED, () => {
    // Browsers may block sound without a click. Then start muted.
    video.play().catch(() => {
      video.muted = true;
      void video.play().catch(() => onState("idle"));
    });
  });
  hls.on(Player.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return;
    if (type === Player.ErrorTypes.MEDIA_ERROR && failures++ < MAX_RECOVERIES) hls.recoverMediaError();
    else if (type === Player.ErrorTypes.NETWORK_ERROR && failures++ < MAX_RETRIES) retry();
    else onState("failed");
  });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    hls.destroy();
  });
  hls.attachMedia(video);
  hls.loadSource(url);
}

/**
 * Loads playlists with lower numbers of discontinuities. The slate's are seconds since 2026, and whenever hls.js has read a playlist or a segment, it
 * copies an array that is as long, which takes a second. If a number is lower than the one before, hls.js counts on.
 */
function withLowNumbers({ DefaultConfig }: typeof Hls) {
  return class extends (DefaultConfig.loader as PlaylistLoaderConstructor) {
    override load(...[context, config, callbacks]: Parameters<Loader<PlaylistLoaderContext>["load"]>): void {
      super.load(context, config, {
        ...callbacks,
        onSuccess(response, ...facts) {
          const data = String(response.data).replace(
            /^(#EXT-X-DISCONTINUITY-SEQUENCE:)(\d+)/m,
            (_, tag: string, number: string) => tag + (Number(number) % 10_000),
          );
          callbacks.onSuccess({ ...response, data }, ...facts);
        },
      });
    }
  };
}
