import { broadcast, reserveStreamingPorts, startNginxRtmp } from "@tandem/testing/nginx-rtmp";
import { sendStreamEvent, streamingSettings, streamOf } from "@tandem/testing/streaming";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Milliseconds: a video needs much of a busy machine. */
const LONG = 120_000;

/** Waits until a video is like that. The whole state is compared, because a failure on another machine must explain itself. */
const untilPlaying = (video: Locator, expected: object) =>
  expect
    .poll(
      () =>
        video.evaluate((it: HTMLVideoElement) => ({
          hasStarted: it.currentTime > 0,
          width: it.videoWidth,
          muted: it.muted,
          paused: it.paused,
          readyState: it.readyState,
          buffered: Array.from({ length: it.buffered.length }, (_, i) => it.buffered.end(i)),
          overlay: it.parentElement?.innerText,
        })),
      { timeout: LONG },
    )
    .toMatchObject(expected);

describe("live", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("starts a stream, receives it from software, plays it to viewers, and ends it", {
    timeout: 4 * LONG,
  }, async () => {
    const place = await reserveStreamingPorts();
    await using service = await startTandem("sqlite", { env: place.env });
    await using _nginx = await startNginxRtmp(place, service.baseUrl);
    const ada = await service.as.human("ada");
    await using studio = await visit(service, ada);
    await studio.open("/live");
    await studio.page.getByRole("button", { name: "Go live" }).click();
    await studio.page.getByLabel("Title").fill("Open studio");
    await studio.page.keyboard.press("Enter");
    const url = await studio.page.getByLabel("Server", { exact: true }).inputValue();
    const streamKey = await studio.page.getByLabel("Stream key", { exact: true }).inputValue();
    expect(url).toBe(place.env.LIVE_INGEST_URL);

    await using viewer = await visit(service, undefined, { reducedMotion: "no-preference" });
    await viewer.open("/live/ada");
    await viewer.page.getByText("ada isn't live").waitFor();
    await using sender = await broadcast(url, streamKey);
    await expect
      .poll(async () => (await service.as.anonymous().listLives()).lives.length, { timeout: LONG })
      .toBe(1);
    await viewer.page.getByRole("button", { name: "Watch" }).click({ timeout: LONG });
    const video = viewer.page.locator("video");
    // Frames arrive and are decoded.
    await untilPlaying(video, { hasStarted: true, width: 160 });

    // The list shows a picture of it, and who watches.
    await studio.open("/live");
    await studio.page.getByText("1 viewer").waitFor({ timeout: LONG });
    const thumbnail = studio.page.locator("img[src*='/live/ada/thumbnail.webp']:not([hidden])");
    await thumbnail.waitFor({ timeout: LONG });
    await studio.open("/live/ada");

    // Everyone reads the chat; who is logged in takes part, and agents are marked.
    const bob = await service.as.human("bob");
    await using guest = await visit(service, bob);
    await guest.open("/live/ada");
    await guest.page.getByText("No messages yet").waitFor();
    await guest.page.getByRole("textbox", { name: "Message" }).fill("Hello from Bob");
    await guest.page.keyboard.press("Enter");
    const { postId } = (await bob.listLives()).lives[0] ?? {};
    const agent = await service.as.agent(ada, "robot");
    await agent.createComment({ id: Number(postId), body: "Beep" });
    for (const { page } of [guest, studio, viewer]) {
      const log = page.getByRole("log");
      await log.getByText("Hello from Bob").waitFor({ timeout: LONG });
      const line = log.getByRole("listitem").filter({ hasText: "Beep" });
      await line.getByText(/^AI/).first().waitFor({ timeout: LONG });
    }
    await viewer.page.getByRole("link", { name: "Log in to chat" }).waitFor();
    expect(await guest.axeViolations()).toEqual([]);

    // With autoplay chosen, it starts muted.
    await viewer.page.getByLabel("Autoplay, muted").check();
    await viewer.open("/live/ada");
    await untilPlaying(video, { hasStarted: true, muted: true });
    expect(viewer.browserErrors.filter((one) => !one.includes("index.m3u8"))).toEqual([]);

    await studio.page.getByRole("button", { name: "End stream" }).click();
    await studio.page.getByText("Stream ended.").waitFor();
    await sender.ended;
    await viewer.page.getByText("The stream has ended").waitFor({ timeout: LONG });
  });

  test("without an announcement, a stream doesn't go on with the chat of the last one", async () => {
    await using service = await startTandem("sqlite", { env: streamingSettings });
    const ada = await service.as.human("ada");
    const { post } = await ada.createPost({ title: "Yesterday" });
    const { ingest } = await ada.startLive({ title: "Yesterday", postId: post.id });
    await sendStreamEvent(service, "publish", streamOf(ingest));
    await sendStreamEvent(service, "publish_done", streamOf(ingest));
    await using visitor = await visit(service, ada);
    const { page } = visitor;
    await visitor.open("/live");
    await page.getByRole("button", { name: "Go live" }).click();
    await page.getByLabel("Title").fill("Today");
    await page.getByLabel("Announce it with a post").uncheck();
    await page.getByLabel("Title").press("Enter");
    await page.getByRole("link", { name: "View your stream" }).waitFor();
    await sendStreamEvent(service, "publish", streamOf(ingest));
    expect((await ada.listLives()).lives).toMatchObject([{ title: "Today", postId: null }]);
  });

  test("lists a stream without a streaming server, and plays the slate", async () => {
    const mary = await tandem.as.human("mary");
    await using visitor = await visit(tandem, mary, phone);
    const { page } = visitor;
    await visitor.open("/live");
    await page.getByText("No one is live").waitFor();
    await page.getByRole("button", { name: "Go live" }).click();
    await page.getByLabel("Title").fill("Tea");
    await page.route("**/api/live", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await page.getByLabel("Title").press("Enter");
    await page.getByText("Can't reach Tandem").waitFor({ timeout: LONG });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Go live" }).click();
    expect(await page.getByLabel("Title").inputValue()).toBe("Tea");
    await page.unroute("**/api/live");
    await page.getByLabel("Title").press("Enter");
    await page.getByRole("link", { name: "View your stream" }).click();
    await page.getByRole("heading", { name: "Tea" }).waitFor();
    await page.getByRole("button", { name: "Watch" }).click();
    await untilPlaying(page.locator("video"), { hasStarted: true, width: 320 });
    await page.getByRole("button", { name: "End stream" }).click();
    await page.getByText("The stream has ended").waitFor();
    expect((await mary.listLives()).lives).toEqual([]);
  });
});
