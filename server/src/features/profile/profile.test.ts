import type { Person } from "@tandem/testing/callers";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("the profile", () => {
  let tandem: Tandem;
  let ada: Person;

  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  test("changes a field to a text, clears it with null, and keeps it if left out", async () => {
    const edited = async (input: Parameters<Person["editProfile"]>[0]) => {
      const { user } = await ada.editProfile(input);
      expect((await ada.me()).user).toEqual(user);
      return [user.displayName, user.bio];
    };
    expect(await edited({ displayName: "Ada", bio: "Counts." })).toEqual(["Ada", "Counts."]);
    expect(await edited({ bio: "Computes." })).toEqual(["Ada", "Computes."]);
    expect(await edited({ displayName: null })).toEqual([null, "Computes."]);
    expect(await edited({})).toEqual([null, "Computes."]);
    expect(await edited({ bio: null })).toEqual([null, null]);
  });

  test("shows the display name with posts and comments, also after a rename", async () => {
    const cleo = await tandem.as.human("cleo");
    const { post } = await cleo.createPost({ title: 'Knows ,"author":"cleo","title":', body: "By Cleo." });
    const { comment } = await ada.createComment({ id: post.id, body: "Indeed." });
    await cleo.createComment({ id: post.id, body: "Thanks.", parentId: comment.id });
    const shown = async () => {
      const { comments } = await ada.listComments({ id: post.id });
      const read = (await ada.readPost({ id: post.id })).post;
      expect({ ...read, authorName: undefined }).toEqual({ ...post, commentCount: 2 });
      return [read.authorName, ...comments.map(({ authorName }) => authorName)];
    };
    expect(await shown()).toEqual([undefined, undefined, undefined]);
    for (const name of ["Cleo", 'Cleo "the \\ Great"', null, "Cléo 🦆"]) {
      const authorName = name ?? undefined;
      await cleo.editProfile({ displayName: name });
      expect(await shown()).toEqual([authorName, undefined, authorName]);
      await cleo.editPost({ id: post.id, body: "By Cleo." });
      expect((await cleo.createPost({ title: "Next" })).post.authorName).toBe(authorName);
    }
  });

  test("keeps the mark of a text that a key changed, also when it is cleared and written again", async () => {
    const bob = await tandem.as.human();
    const key = await tandem.as.key(["profile:write"], bob);
    const fieldsAfter = async (by: typeof bob | typeof key, input: Parameters<Person["editProfile"]>[0]) => {
      const { user } = await by.editProfile(input);
      expect((await bob.me()).user).toEqual(user);
      return user.aiGeneratedFields;
    };
    expect(await fieldsAfter(bob, { displayName: "Bob", bio: "By hand." })).toEqual([]);
    expect(await fieldsAfter(key, { displayName: "Bob", bio: "By key." })).toEqual(["bio"]);
    expect(await fieldsAfter(key, { displayName: null })).toEqual(["bio"]);
    expect(await fieldsAfter(bob, { displayName: "Bob", bio: null })).toEqual([]);
    expect(await fieldsAfter(bob, { bio: "By key." })).toEqual(["bio"]);
    const [own, other] = ["https://bob.example/", "https://key.example/"];
    expect(await fieldsAfter(bob, { links: [own] })).toEqual(["bio"]);
    expect(await fieldsAfter(key, { links: [own] })).toEqual(["bio"]);
    expect(await fieldsAfter(key, { links: [] })).toEqual(["bio"]);
    expect(await fieldsAfter(key, { links: [other] })).toEqual(["bio", "links"]);
    expect(await fieldsAfter(bob, { links: null })).toEqual(["bio"]);
    expect(await fieldsAfter(bob, { links: [other] })).toEqual(["bio", "links"]);
  });

  test("counts lengths in code points", async () => {
    const [name, bio] = ["🦆".repeat(50), "🦆".repeat(500)];
    expect((await ada.editProfile({ displayName: name, bio })).user).toMatchObject({
      displayName: name,
      bio,
    });
    for (const [field, value] of Object.entries({ displayName: `${name}.`, bio: `${bio}.` })) {
      await expect(ada.editProfile({ [field]: value })).rejects.toMatchObject({
        status: 400,
        code: "invalid_input",
        field,
      });
    }
  });

  test("rejects changes of other fields", async () => {
    const edit = async (fields: object) => {
      const { status, body } = await ada.call("editProfile", fields);
      return [status, body.field];
    };
    expect(await edit({ role: "admin" })).toEqual([200, undefined]);
    const { user } = await ada.me();
    expect(await edit({ ...user, links: [] })).toEqual([200, undefined]);
    expect(await edit({ displayName: "Root", username: "root" })).toEqual([400, "username"]);
    expect(await edit({ displayName: "Root", email: "x@example.org" })).toEqual([400, "email"]);
    expect((await ada.me()).user).toEqual(user);
  });

  test("lets a key edit the profile of the account it acts as", async () => {
    const agent = await tandem.as.agent(ada);
    const { user } = await agent.editProfile({ displayName: "Robot" });
    expect(user).toMatchObject({ username: agent.agent.username, displayName: "Robot" });
    expect((await ada.listAgents()).agents).toMatchObject([{ displayName: "Robot" }]);
    const reader = await tandem.as.key(["posts:write"], ada);
    await expect(reader.editProfile({ bio: "x" })).rejects.toMatchObject({
      status: 403,
      code: "insufficient_scope",
    });
  });
});

test("an account's name and avatar, which all its posts show, change only so often", async () => {
  const env = { LIMIT_THROTTLES_AUTHOR_CHANGES_PER_ACCOUNT_LIMIT: "3" };
  await using tandem = await startTandem("sqlite", { env });
  const ada = await tandem.as.human("ada");
  const image = new Blob([Uint8Array.from(await drawPicture({ width: 32, height: 32 }))]);
  await ada.editProfile({ displayName: "Ada" });
  await ada.editProfile({ displayName: "Ada", bio: "Counts." });
  await ada.editProfile({ bio: "Computes." });
  await ada.setAvatar({ image });
  await ada.setBanner({ image });
  await ada.editProfile({ displayName: "Ada L." });
  expect(await ada.call("editProfile", { displayName: "Lovelace", bio: "New" })).toMatchObject({
    status: 429,
    body: { code: "rate_limited" },
  });
  expect(await ada.call("setAvatar", { image })).toMatchObject({ status: 429 });
  expect((await ada.me()).user).toMatchObject({ displayName: "Ada L.", bio: "Computes." });
  await ada.editProfile({ bio: "New" });
});
