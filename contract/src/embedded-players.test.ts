import { expect, test } from "vitest";
import { embeddedPlayerOf } from "./embedded-players.ts";

const id = "dQw4w9WgXcQ";
const nocookie = `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`;

test.each([
  [`https://www.youtube.com/watch?v=${id}`, nocookie],
  [`https://m.youtube.com/watch?list=PL1&v=${id}&t=1m30s`, `${nocookie}&start=90`],
  [`http://youtu.be/${id}?t=42`, `${nocookie}&start=42`],
  [`https://youtube.com/shorts/${id}?feature=share`, nocookie],
  [`https://www.youtube-nocookie.com/embed/${id}`, nocookie],
  ["https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1"],
  [
    "https://vimeo.com/76979871/8272103f6e",
    "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1&h=8272103f6e",
  ],
  [
    "https://www.dailymotion.com/video/x8abcde",
    "https://geo.dailymotion.com/player.html?video=x8abcde&autoplay=true",
  ],
])("the video of the link %s has a player", (mediaUrl, url) => {
  expect(embeddedPlayerOf({ platform: "native", mediaType: "link", mediaUrl })?.url).toBe(url);
});

test.each([
  "https://www.youtube.com/@channel",
  "https://www.youtube.com/embed/videoseries?list=PL1",
  `https://youtube.com.example.org/watch?v=${id}`,
  `https://example.org/?u=https://youtu.be/${id}`,
  `https://youtu.be/${id}"onload=`,
  "https://vimeo.com/channels/staffpicks",
  "https://video.example.org/videos/embed/abc",
  "javascript:alert(1)//youtu.be/x",
])("%s has none", (mediaUrl) => {
  expect(embeddedPlayerOf({ platform: "native", mediaType: "link", mediaUrl })).toBeNull();
});

test("only imported posts have players of PeerTube servers, over HTTPS", () => {
  const video = { platform: "peertube", mediaType: "video" } as const;
  const mediaUrl = "https://video.example.org/videos/embed/abc";
  expect(embeddedPlayerOf({ ...video, mediaUrl })).toEqual({
    site: "video.example.org",
    url: `${mediaUrl}?autoplay=1&p2p=0`,
  });
  expect(embeddedPlayerOf({ ...video, mediaUrl: mediaUrl.replace("https", "http") })).toBeNull();
  expect(embeddedPlayerOf({ ...video, platform: "mastodon", mediaUrl })).toBeNull();
});
