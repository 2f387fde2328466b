import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { faultsOf } from "@tandem/testing/looks";
import { drawPicture } from "@tandem/testing/pictures";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeVideo } from "@tandem/testing/videos";
import { type Visitor, visit } from "@tandem/testing/visitor";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("the composer", () => {
  let tandem: Tandem;
  let ada: Person;
  let picture: Buffer;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
    picture = await drawPicture();
  });
  afterAll(() => tandem.stop());

  const posts = async (q: string) => (await ada.listPosts({ author: "ada", q })).posts;
  const loom = () => ({ name: "loom.jpg", mimeType: "image/jpeg", buffer: picture });
  const chooseFile = ({ page }: Visitor, file: ReturnType<typeof loom> | string) =>
    page.getByLabel("Add an image or video").last().setInputFiles(file);
  const post = ({ page }: Visitor) => page.getByRole("button", { name: "Post", exact: true });

  /** Holds back the response to the next post. Playwright's routing would send the request without its files. */
  async function holdResponse(page: Page) {
    const devTools = await page.context().newCDPSession(page);
    const responseArrived = new Promise<string>((resolve) =>
      devTools.once("Fetch.requestPaused", ({ requestId }) => resolve(requestId)),
    );
    await devTools.send("Fetch.enable", {
      patterns: [{ urlPattern: "*/api/posts", requestStage: "Response" }],
    });
    const lose = async () => {
      const failure = { requestId: await responseArrived, errorReason: "ConnectionReset" } as const;
      // If the page was left, the response is lost already.
      await devTools.send("Fetch.failRequest", failure).catch(() => {});
      await devTools.detach();
    };
    return { responseArrived, lose };
  }

  const onPage = (visitor: Visitor) => visitor.page.waitForURL(/\/posts\/\d+$/);

  test("asks for an image description, then publishes the image with its AI label and products", async () => {
    const { product } = await ada.createProduct({ title: "A shuttle", url: "https://example.org/shuttle" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    // Without a title of its own, it shows what becomes the title.
    await page.getByLabel("Text", { exact: true }).fill("Weaving by hand\n\nSlow, and worth it.");
    await page.getByPlaceholder("Weaving by hand", { exact: true }).waitFor();
    await chooseFile(visitor, loom());
    await page.getByAltText("Preview").waitFor();
    await page.getByLabel("AI-assisted").check();
    await page.getByRole("button", { name: "Attach products" }).click();
    await page.getByLabel("A shuttle").check();
    await post(visitor).click();
    await page.getByText("Add a description so people who can't see it").waitFor();
    expect(await posts("Weaving")).toEqual([]);
    await page.keyboard.type("A loom in four colours");
    await page.keyboard.press("Control+Enter");
    await onPage(visitor);
    expect(await posts("Weaving")).toMatchObject([
      {
        mediaType: "image",
        title: "Weaving by hand",
        body: "Slow, and worth it.",
        alt: "A loom in four colours",
        provenance: "ai_assisted",
        products: [{ id: product.id }],
      },
    ]);
    await page.getByAltText("A loom in four colours").waitFor();
    await visitor.open("/compose");
    expect(await page.getByLabel("Title").inputValue()).toBe("");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("publishes several images as a gallery, in the order and with the descriptions that their author chose by keyboard", async () => {
    const named = (name: string) => ({ ...loom(), name: `${name}.jpg` });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Three looms");
    const input = page.getByLabel("Add an image or video").last();
    await input.setInputFiles([
      named("first"),
      { ...named("words"), mimeType: "text/plain" },
      named("second"),
    ]);
    await page.getByText("“words.jpg”: This file type isn't supported").waitFor();
    await input.setInputFiles([named("third"), ...Array.from({ length: 9 }, (_, i) => named(`more ${i}`))]);
    await page.getByText("A post can have up to 10 images").waitFor();
    await page.getByText("10 of 10 images").waitFor();
    const pressed = async (name: string, key = "Enter") => page.getByRole("button", { name }).press(key);
    for (let number = 10; number > 3; number--) await pressed(`Remove image ${number}`);
    const described = (number: number) => page.getByLabel(`Description of image ${number}`);
    for (const [i, alt] of ["First", "Second"].entries()) await described(i + 1).fill(alt);
    // The focus stays on the button of the picture that was moved, also at the end, where it does nothing.
    await pressed("Move image 1 down");
    await page.getByRole("status").getByText("Image 2 of 3.").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Move image 3 down",
    );
    expect(await faultsOf(visitor)).toEqual([]);
    await post(visitor).click();
    await page.getByText("Add a description so people who can't see it").waitFor();
    await described(2).fill("Third");
    await post(visitor).click();
    await onPage(visitor);
    const [published] = await posts("Three looms");
    expect(published?.pictures?.map(({ alt }) => alt)).toEqual(["Second", "Third", "First"]);
    await page.getByRole("button", { name: "Third Enlarge image 2 of 3" }).waitFor();

    await visitor.open(`/posts/${published?.id}/edit`);
    await described(3).fill("The first");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "The first Enlarge image 3 of 3" }).waitFor();
    const [edited] = await posts("Three looms");
    expect(edited?.pictures?.map(({ alt }) => alt)).toEqual(["Second", "Third", "The first"]);
    await visitor.open(`/posts/${published?.id}/versions`);
    await page.getByText("2. Third").first().waitFor();
    // The last but one leaves a single image, whose button gets the focus.
    await visitor.open("/compose");
    await input.setInputFiles([named("first"), named("second")]);
    await pressed("Remove image 1");
    await page.getByText("second.jpg").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Remove file");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("publishes a video with a custom thumbnail", async () => {
    const video = await makeVideo({ seconds: 1 });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("A loom at work");
    await chooseFile(visitor, { name: "loom.mp4", mimeType: "video/mp4", buffer: video });
    const poster = page.getByAltText("Video thumbnail");
    await page.getByRole("button", { name: "Use this frame" }).click();
    await poster.waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await poster.waitFor({ state: "detached" });
    await page.getByLabel("Choose an image").setInputFiles(loom());
    await poster.waitFor();
    await page.getByLabel("Image description").fill("A loom, moving");
    await post(visitor).click();
    await onPage(visitor);
    const [published] = await posts("at work");
    expect(published).toMatchObject({ mediaType: "video", alt: "A loom, moving" });
    expect(published?.thumbnailUrl).not.toBeNull();
  });

  test("accepts dropped and pasted files, and rejects invalid ones before sending", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    let requestCount = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/api/posts")) requestCount++;
    });
    await chooseFile(visitor, { name: "words.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
    await page.getByText("This file type isn't supported").waitFor();
    await using directory = await temporaryDirectory();
    // A file on the disk isn't sent to the browser.
    const large = join(directory.path, "large.png");
    await writeFile(large, "");
    await truncate(large, limits.imageBytes + 1);
    await chooseFile(visitor, large);
    await page.getByText("The limit is 10 MB").waitFor();
    for (const kind of ["drop", "paste"] as const) {
      await page.locator("form").evaluate(
        (form, [type, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], `${type}.jpg`, { type: "image/jpeg" }));
          const event =
            type === "drop"
              ? new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true })
              : new ClipboardEvent("paste", { clipboardData: dataTransfer, bubbles: true, cancelable: true });
          form.dispatchEvent(event);
        },
        [kind, picture.toString("base64")] as const,
      );
      await page.getByText(`${kind}.jpg`).waitFor();
      await page.getByRole("button", { name: "Remove file" }).click();
    }
    await post(visitor).click();
    await page.getByText("Write something, or add a title.").waitFor();
    expect(requestCount).toBe(0);
  });

  test("shows upload progress, and keeps everything when the upload is cancelled", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Stopped half way");
    const buffer = await drawPicture({ width: 600, height: 450, noisy: true });
    await chooseFile(visitor, { ...loom(), buffer });
    await page.getByLabel("Image description").fill("Noise");
    const devTools = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: buffer.length / 10 };
    await devTools.send("Network.emulateNetworkConditions", slow);
    await post(visitor).click();
    await expect
      .poll(() => page.locator("progress").getAttribute("value"), { interval: 50, timeout: 15_000 })
      .toMatch(/^[1-9]\d?$/);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator("progress").waitFor({ state: "detached" });
    expect(await page.getByRole("alert").count()).toBe(0);
    await devTools.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
    expect(await posts("Stopped")).toEqual([]);
    await post(visitor).click();
    await onPage(visitor);
    expect(await posts("Stopped")).toMatchObject([{ alt: "Noise" }]);
  });

  test("keeps everything when sending fails, and posts only once when retried", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Stubborn");
    await chooseFile(visitor, loom());
    await page.getByLabel("Image description").fill("A loom");
    const failures = [
      { status: 500, code: "internal", says: "Something went wrong on our side" },
      { status: 429, code: "rate_limited", says: "You're going too fast", headers: { "retry-after": "90" } },
      { status: 401, code: "unauthorized", says: "Log in (opens a new tab)" },
    ];
    const still = async () => {
      expect(await page.getByLabel("Title").inputValue()).toBe("Stubborn");
      await page.getByText("loom.jpg").waitFor();
    };
    for (const { status, code, says, headers = {} } of failures) {
      await page.route(/\/api\/posts$/, (route) =>
        route.fulfill({ status, headers, json: { error: says, code } }),
      );
      await post(visitor).click();
      await page.getByText(says).waitFor();
      await still();
      await page.unroute(/\/api\/posts$/);
    }
    await page.context().setOffline(true);
    await post(visitor).click();
    await page.getByText("Can't reach Tandem").waitFor({ timeout: 20_000 });
    await still();
    await page.context().setOffline(false);
    // The service publishes it, but the response is lost.
    const response = await holdResponse(page);
    await post(visitor).click();
    await response.responseArrived;
    expect(await posts("Stubborn")).toHaveLength(1);
    await response.lose();
    await onPage(visitor);
    expect(await posts("Stubborn")).toHaveLength(1);
  });

  test("posts only once if the page was left before the response arrived", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Only once");
    // Only a real file has a modification time.
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "loom.jpg");
    await writeFile(file, picture);
    await chooseFile(visitor, file);
    await page.getByLabel("Image description").fill("A loom");
    const response = await holdResponse(page);
    await post(visitor).click();
    await response.responseArrived;
    expect(await posts("Only once")).toHaveLength(1);
    page.on("dialog", (dialog) => dialog.accept());
    await visitor.open("/compose");
    await page.getByText("Please select “loom.jpg” again").waitFor();
    await response.lose();
    await chooseFile(visitor, file);
    await post(visitor).click();
    await onPage(visitor);
    expect(await posts("Only once")).toHaveLength(1);
    // The same content again, as a new post.
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Only once");
    await post(visitor).click();
    await onPage(visitor);
    expect(await posts("Only once")).toHaveLength(2);
  });

  test("keeps sending after leaving the page, and shows the result on the next one", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Sent aside");
    await chooseFile(visitor, loom());
    await page.getByLabel("Image description").fill("A loom");
    const heldRoutes: Route[] = [];
    await page.route(/\/api\/posts$/, (route) => void heldRoutes.push(route));
    await post(visitor).click();
    await expect.poll(() => heldRoutes.length).toBe(1);
    expect(await page.getByLabel("Title").isEditable()).toBe(false);
    await page.getByRole("main").getByRole("link", { name: "Drafts" }).click();
    await page.getByRole("heading", { name: "Drafts" }).waitFor();
    await heldRoutes.pop()?.fulfill({ status: 500, json: { error: "Oops.", code: "internal" } });
    await page.getByRole("status").getByText("Something went wrong on our side").waitFor();
    await page.goBack();
    // The thumbnail is named by its description.
    await page.getByAltText("A loom").waitFor();
    await post(visitor).click();
    await expect.poll(() => heldRoutes.length).toBe(1);
    await page.getByRole("main").getByRole("link", { name: "Drafts" }).click();
    await page.getByRole("heading", { name: "Drafts" }).waitFor();
    await page.goBack();
    await page.getByText("Posting…").waitFor();
    await page.goForward();
    await page.getByRole("heading", { name: "Drafts" }).waitFor();
    await heldRoutes.pop()?.continue();
    await page.getByRole("status").getByText("Posted.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/drafts");
    expect(await posts("Sent aside")).toHaveLength(1);
    await page.goBack();
    await expect.poll(() => page.getByLabel("Title").inputValue()).toBe("");
  });

  test("restores the draft after a reload, until starting over", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Half a thou");
    await page.getByLabel("AI-generated").check();
    await chooseFile(visitor, loom());
    await page.getByAltText("Preview").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Drafts" }).click();
    await page.getByRole("heading", { name: "Drafts" }).waitFor();
    await page.goBack();
    await page.getByAltText("Preview").waitFor();
    page.on("dialog", (dialog) => dialog.accept());
    await visitor.open("/compose");
    await page.getByText("Please select “loom.jpg” again").waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("Half a thou");
    expect(await page.getByLabel("AI-generated").isChecked()).toBe(true);
    await page.getByRole("button", { name: "Start over" }).click();
    await visitor.open("/compose");
    expect(await page.getByLabel("Title").inputValue()).toBe("");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("a community that the address names is no draft, unless something is written there", async () => {
    const name = communityName();
    await ada.createCommunity({ name });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const community = page.getByRole("combobox", { name: "Community" });
    const restored = page.getByText("Unsent draft restored.");
    for (let time = 0; time < 2; time++) {
      await visitor.open(`/compose?community=${name}`);
      await expect.poll(() => community.inputValue()).toBe(name);
      expect(await restored.count()).toBe(0);
    }
    await visitor.open("/compose");
    await expect.poll(() => community.inputValue()).toBe("");
    await community.selectOption(name);
    await visitor.open("/compose");
    await expect.poll(() => community.inputValue()).toBe("");
    expect(await restored.count()).toBe(0);
    await visitor.open(`/compose?community=${name}`);
    await page.getByLabel("Title").fill("For here");
    await visitor.open("/compose");
    await restored.waitFor();
    expect(await community.inputValue()).toBe(name);
    await page.getByRole("button", { name: "Start over" }).click();
    expect(await community.inputValue()).toBe("");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("says what a community takes: people choose where they have to, and can't choose what it refuses", async () => {
    const [marked, people] = [communityName("marked"), communityName("people")];
    await ada.createCommunity({ name: marked, aiPolicy: "marked" });
    await ada.createCommunity({ name: people, aiPolicy: "people_only" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const declared = (name: string) => page.getByRole("radio", { name });
    await visitor.open(`/compose?community=${marked}`);
    await page.getByText("AI content is labelled: AI is welcome").waitFor();
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.getByLabel("Title").fill("Declared");
    await post(visitor).click();
    const missing = page.getByText("This community asks everyone to say whether AI was involved.");
    await missing.waitFor();
    expect(await declared("No AI").evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await faultsOf(visitor)).toEqual([]);
    await declared("AI-generated").check();
    await expect.poll(() => missing.count()).toBe(0);

    await page.getByRole("combobox", { name: "Community" }).selectOption(people);
    await page.getByText("People only (no AI): Agents can't post").waitFor();
    expect(await declared("AI-generated").isDisabled()).toBe(true);
    expect(await declared("AI-assisted").isDisabled()).toBe(true);
    await post(visitor).click();
    await page.getByText("This community doesn't take posts like this").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    await page.getByRole("combobox", { name: "Community" }).selectOption(marked);
    await post(visitor).click();
    await onPage(visitor);
    expect(await posts("Declared")).toMatchObject([{ community: marked, provenance: "ai_generated" }]);
    // Without a community, it is as it was.
    await visitor.open("/compose");
    expect(await declared("No AI").isChecked()).toBe(true);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("is accessible when it shows errors", async () => {
    const bob = await tandem.as.human();
    await using visitor = await visit(tandem, bob);
    const { page } = visitor;
    await visitor.open("/compose");
    await chooseFile(visitor, loom());
    await page.getByLabel("Title").fill("x".repeat(limits.postTitle + 1));
    await page.getByRole("button", { name: "Add a link" }).click();
    await page.keyboard.type("nowhere");
    await post(visitor).click();
    await page.getByText("Too long. Shorten it").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });
});
