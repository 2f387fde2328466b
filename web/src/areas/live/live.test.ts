import { broadcast, reserveStreamingPorts, startNginxRtmp } from "@tandem/testing/nginx-rtmp";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("live", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("a broadcast is begun here, sent by a program, watched by others, and ended", {
    timeout: 120_000,
  }, async () => {
    const place = await reserveStreamingPorts();
    await using service = await startTandem("sqlite", { env: place.env });
    await using _nginx = await startNginxRtmp(place, service.baseUrl);
    const ada = await service.as.human("ada");
    await using studio = await visit(service, ada);
    await studio.open("/live");
    await studio.page.getByRole("button", { name: "Go live" }).click();
    await studio.page.getByLabel("What is it about?").fill("Open studio");
    await studio.page.keyboard.press("Enter");
    const url = await studio.page.getByLabel("Server", { exact: true }).inputValue();
    const streamKey = await studio.page.getByLabel("Stream key", { exact: true }).inputValue();
    expect(url).toBe(place.env.LIVE_INGEST_URL);

    await using viewer = await visit(service, undefined, { reducedMotion: "no-preference" });
    await viewer.open("/live/ada");
    await viewer.page.getByText("ada isn't on air").waitFor();
    await using sender = await broadcast(url, streamKey);
    await expect
      .poll(async () => (await service.as.anonymous().listLives()).lives.length, { timeout: 30_000 })
      .toBe(1);
    await viewer.page.getByRole("button", { name: "Watch" }).click({ timeout: 30_000 });
    const video = viewer.page.locator("video");
    // Pictures came, were decoded, and go on.
    await expect
      .poll(() => video.evaluate((it: HTMLVideoElement) => it.currentTime > 0 && it.videoWidth), {
        timeout: 30_000,
      })
      .toBe(160);

    // By itself, for who chose that: and without sound.
    await viewer.page.getByLabel("Begin by itself, muted").check();
    await viewer.open("/live/ada");
    await expect
      .poll(() => video.evaluate((it: HTMLVideoElement) => it.currentTime > 0 && it.muted), {
        timeout: 30_000,
      })
      .toBe(true);
    expect(viewer.browserErrors.filter((one) => !one.includes("index.m3u8"))).toEqual([]);

    await studio.page.getByRole("button", { name: "End it" }).click();
    await studio.page.getByText("You are off air.").waitFor();
    await sender.ended;
    await viewer.page.getByText("The broadcast is over").waitFor({ timeout: 30_000 });
  });

  test("where no streaming server is set up, whoever says so is live; a failing stream is told", async () => {
    const mary = await tandem.as.human("mary");
    await using visitor = await visit(tandem, mary, phone);
    const { page } = visitor;
    await visitor.open("/live");
    await page.getByText("Nobody is on air").waitFor();
    await page.getByRole("button", { name: "Go live" }).click();
    await page.getByLabel("What is it about?").fill("Tea");
    await page.route("**/api/live", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await page.keyboard.press("Enter");
    await page.getByText("The service can't be reached").waitFor({ timeout: 30_000 });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Go live" }).click();
    expect(await page.getByLabel("What is it about?").inputValue()).toBe("Tea");
    await page.unroute("**/api/live");
    await page.getByLabel("What is it about?").press("Enter");
    await page.getByRole("link", { name: "To your page" }).click();
    await page.getByRole("heading", { name: "Tea" }).waitFor();
    await page.getByRole("button", { name: "Watch" }).click();
    await page.getByText("Waiting for the stream…").waitFor();
    await page.getByRole("button", { name: "End it" }).click();
    await page.getByText("The broadcast is over").waitFor();
    expect((await mary.listLives()).lives).toEqual([]);
  });

  test.each([
    ["on a phone, light", { ...phone, colorScheme: "light" as const }],
    ["on a desk, dark", { colorScheme: "dark" as const }],
  ])("has no barriers and no complaints %s", async (_where, options) => {
    const ada = await tandem.as.human();
    await ada.startLive({ title: "Weaving" });
    const { username } = ada.user;
    await using visitor = await visit(tandem, ada, options);
    for (const path of ["/live", `/live/${username}`]) {
      await visitor.open(path);
      expect([path, await visitor.axeViolations()]).toEqual([path, []]);
    }
    await ada.endLive();
    await visitor.open(`/live/${username}`);
    expect(await visitor.axeViolations()).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });
});
