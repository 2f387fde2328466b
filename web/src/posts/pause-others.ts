/**
 * Only one video or audio plays at a time. Silent videos, such as those that play automatically, don't disturb audio, nor audio
 * them.
 */
export function pauseOthers(playing: HTMLMediaElement): void {
  const documents = [
    document,
    ...[...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument),
  ];
  for (const one of documents)
    for (const other of one?.querySelectorAll<HTMLMediaElement>("video, audio") ?? [])
      if (other !== playing && disturbs(playing, other)) other.pause();
}

function disturbs(playing: HTMLMediaElement, other: HTMLMediaElement): boolean {
  const areVideos = playing.localName === "video" && other.localName === "video";
  return areVideos || !(playing.muted || other.muted);
}
