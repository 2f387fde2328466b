import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf, partsOf } from "../account-export/export-parts.ts";

const reason = "Advertising";

interface Quote {
  excerpt: string | null;
  excerptProvenance: string | null;
  excerptProvenanceBasis: string | null;
}
const said = ({ excerpt, excerptProvenance, excerptProvenanceBasis }: Quote) =>
  `${excerpt}: ${excerptProvenance} ${excerptProvenanceBasis}`;

describe("what moderation quotes", () => {
  let tandem: Tandem;
  let admin: Person;
  let author: Person;
  let reporter: Person;
  let key: Caller;
  beforeAll(async () => {
    tandem = await startTandem();
    [admin, author, reporter] = await Promise.all([tandem.as.human(), tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
    key = await tandem.as.key(undefined, author);
  });
  afterAll(() => tandem.stop());

  /** In a community that the reporter owns. */
  async function makeTexts() {
    const name = communityName();
    await reporter.createCommunity({ name });
    await author.joinCommunity({ name });
    const { post } = await author.createPost({
      ...{ title: `Looms ${name}`, body: "By hand", provenance: "ai_assisted", community: name },
    });
    const { comment } = await key.createComment({ id: post.id, body: `By a key ${name}` });
    return { name, postId: post.id, commentId: comment.id };
  }

  test("is the words without markup", async () => {
    const { name } = await makeTexts();
    const body = `It is *brown*, \\*literal*, [a link](https://example.org/loom).`;
    const { post } = await author.createPost({ title: "Tea", body, community: name });
    const { comment } = await author.createComment({ id: post.id, body });
    const other = await tandem.as.human();
    const { username } = other.user;
    await other.editProfile({ bio: body });
    for (const target of [{ postId: post.id }, { commentId: comment.id }, { username }])
      await reporter.createReport({ ...target, reason });
    const words = "It is brown, *literal*, a link.";
    const { cases } = await admin.listCases({ limit: 3 });
    expect(cases.map(({ target }) => target.excerpt)).toEqual([words, words, `Tea · ${words}`]);
    await reporter.removeCommunityComment({ name, id: comment.id, reason });
    await reporter.removeCommunityPost({ name, id: post.id, reason });
    const { decisions } = await author.listDecisions({ limit: 2 });
    expect(decisions.map(({ excerpt }) => excerpt)).toEqual([`Tea · ${words}`, words]);
  });

  test("has the mark of what was reported, as it is now", async () => {
    const { name, postId, commentId } = await makeTexts();
    const { username } = author.user;
    await author.editProfile({ bio: null });
    for (const target of [{ postId }, { commentId }, { username }])
      await reporter.createReport({ ...target, reason });
    const ofPost = `Looms ${name} · By hand: ai_assisted declared`;
    const ofComment = `By a key ${name}: ai_generated stamped`;
    const own = async () =>
      (await reporter.listReports({ limit: 3 })).reports.map(({ target }) => said(target));
    expect(await own()).toEqual([`${username}: null null`, ofComment, ofPost]);
    expect((await admin.listCases({ limit: 3 })).cases.map(({ target }) => said(target))).toEqual(
      await own(),
    );
    const { cases } = await reporter.listCommunityCases({ name });
    expect(cases.map(({ target }) => said(target))).toEqual([ofComment, ofPost]);

    await author.editProfile({ bio: "By hand" });
    expect((await own())[0]).toBe("By hand: human declared");
    await key.editProfile({ bio: "By a key" });
    await key.editPost({ id: postId, title: "Edited" });
    await author.deleteComment({ id: commentId });
    expect(await own()).toEqual([
      "By a key: ai_generated stamped",
      "null: null null",
      "Edited · By hand: ai_generated stamped",
    ]);
  });

  test("has the mark that the text had at the decision, also after the text is gone", async () => {
    const { name, postId, commentId } = await makeTexts();
    const ofPost = `Looms ${name} · By hand: ai_assisted declared`;
    const ofComment = `By a key ${name}: ai_generated stamped`;
    const byCommunity = await reporter.removeCommunityComment({ name, id: commentId, reason });
    expect(said(byCommunity.decision)).toBe(ofComment);
    await reporter.restoreCommunityComment({ name, id: commentId });
    await admin.removePost({ id: postId, reason });
    await admin.restorePost({ id: postId });
    await key.editPost({ id: postId, title: "Edited" });
    const { decision } = await admin.removePost({ id: postId, reason });
    await admin.restorePost({ id: postId });
    await author.deletePost({ id: postId });
    const { username } = author.user;
    await admin.suspendAccount({ id: author.user.id, reason });
    const wanted = [`${username}: null null`, "Edited · By hand: ai_generated stamped", ofPost, ofComment];
    expect((await author.listDecisions({ limit: 4 })).decisions.map(said)).toEqual(wanted);
    expect(said((await author.readDecision({ id: decision.id })).decision)).toBe(wanted[1]);
    expect((await reporter.listCommunityDecisions({ name })).decisions.map(said)).toEqual([ofComment]);
    const part = partsOf.person.find((each) => each.name === "decisions");
    let json = "";
    if (part) for await (const piece of jsonOf(tandem.storage.read, part, author.user.id)) json += piece;
    expect((JSON.parse(json) as Quote[]).map(said).slice(-4).reverse()).toEqual(wanted);
  });
});
