/**
 * Only one video or audio plays at a time. Silent videos, such as those that play automatically, don't disturb audio, nor audio
 * them.
 */
export function pauseOthers(playing: Playing): void {
  const documents = [
    document,
    ...[...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument),
  ];
  for (const one of documents)
    for (const other of one?.querySelectorAll<HTMLMediaElement>("video, audio") ?? [])
      if (other !== playing && disturbs(playing, other)) other.pause();
  if (!isSilent(playing)) document.dispatchEvent(new CustomEvent(PLAYS, { detail: playing }));
}

/** Calls `stop` when anything but this frame's player begins to play. Returns a function that ends this. */
export function onOthersPlay(frame: HTMLIFrameElement | null, stop: () => void): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent && event.detail !== frame) stop();
  };
  document.addEventListener(PLAYS, listener);
  return () => document.removeEventListener(PLAYS, listener);
}

const PLAYS = "tandem:plays";

type Playing = HTMLMediaElement | HTMLIFrameElement | null;

/** Media of other documents aren't instances of this one's classes. Frames of players aren't silent. */
const isMedia = (playing: Playing): playing is HTMLMediaElement =>
  playing !== null && playing.localName !== "iframe";
const isSilent = (playing: Playing) => isMedia(playing) && playing.muted;

function disturbs(playing: Playing, other: HTMLMediaElement): boolean {
  if (!isMedia(playing)) return !other.muted;
  const areVideos = playing.localName === "video" && other.localName === "video";
  return areVideos || !(playing.muted || other.muted);
}
