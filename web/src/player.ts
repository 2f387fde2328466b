/** Plays a stream of another host in a player document (see `pages/player.ts` of the server), whose `video` names it. */
import Hls from "hls.js";

const video = document.querySelector("video");
const stream = video?.dataset.stream;
if (video && stream) play(video, stream);

/** Native playback shows no subtitles, so it is used only where hls.js can't run. */
function play(video: HTMLVideoElement, stream: string): void {
  const fail = () => {
    video.dataset.failed = "";
    video.dispatchEvent(new Event("error"));
  };
  if (!("MediaSource" in window) && video.canPlayType("application/vnd.apple.mpegurl")) {
    video.src = stream;
    return;
  }
  if (!Hls.isSupported()) {
    fail();
    return;
  }
  const hls = new Hls();
  hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && fail());
  hls.loadSource(stream);
  hls.attachMedia(video);
}
