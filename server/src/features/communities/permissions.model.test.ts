import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type AiPolicy,
  adminOperations,
  aiPolicies,
  type CommunityOperation,
  communityOperations,
  isForAdmins,
  isPermitted,
  type Standing,
  standings,
} from "@tandem/contract/community-names";
import { operations } from "@tandem/contract/operations";
import type { Provenance } from "@tandem/contract/provenance";
import { provenances } from "@tandem/contract/provenance";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller as Client, Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { pixel } from "@tandem/testing/inputs";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Operations after which everyone may still do the same, so that the next one needs no other community. */
const harmless: readonly CommunityOperation[] = [
  ...(["createPost", "editPost", "attachProduct", "createComment", "editComment"] as const),
  ...(["editCommunity", "setCommunityPicture", "deleteCommunityPicture", "listCommunityMembers"] as const),
];
/** The codes of refusals. */
const refusals = (operation: CommunityOperation, standing: Standing) =>
  standing === "banned" && isPermitted(operation, "member")
    ? ["community_banned"]
    : ["forbidden", "membership_required"];

const document = fileURLToPath(new URL("../../../../docs/api-notes.md", import.meta.url));

test("the table in docs/api-notes.md is that of the contract", async () => {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [
    row(["", ...standings]),
    row(["---", ...standings.map(() => ":---:")]),
    ...communityOperations.map((operation) =>
      row([
        `\`${operation}\``,
        ...standings.map((standing) => (isPermitted(operation, standing) ? "yes" : "–")),
      ]),
    ),
  ].join("\n");
  const text = await readFile(document, "utf8");
  await expect(
    text.replace(
      /(<!-- permissions -->\n)[\s\S]*(<!-- \/permissions -->)/,
      (_, start, end) => `${start}\n${table}\n\n${end}`,
    ),
  ).toMatchFileSnapshot(document);
});

/** On one database: what communities store is tested on both by the suites of their features. */
describe("communities", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: { HUMAN_WRITES_PER_MINUTE: "100000" } });
  });
  afterAll(() => tandem.stop());

  test("every operation in the table of permissions exists", () => {
    for (const name of communityOperations) expect(Object.keys(operations)).toContain(name);
  });

  for (const standing of standings)
    test(`a ${standing} may do what the table says, and nothing else`, async () => {
      let world = await makeWorld();
      for (const operation of communityOperations) {
        const caller = world[standing];
        const input = await inputOf(operation, world, caller);
        const { status, body } = await caller.call(operation, input);
        const outcome =
          status === 200
            ? "permitted"
            : refusals(operation, standing).includes(String(body.code))
              ? "refused"
              : body;
        expect([operation, outcome]).toEqual([
          operation,
          isPermitted(operation, standing) ? "permitted" : "refused",
        ]);
        if (outcome === "permitted" && !harmless.includes(operation)) world = await makeWorld();
      }
    });

  test("an admin of the service may edit and close it, even once it is closed, and else what a visitor may", async () => {
    const world = await makeWorld();
    const { name } = world;
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    // Once it is closed, there is nothing else to do in it.
    const toStaff = communityOperations.filter(
      (one) => !isPermitted(one, "visitor") && one !== "closeCommunity",
    );
    for (const operation of [...toStaff, "closeCommunity"] as const) {
      const { status, body } = await admin.call(operation, await inputOf(operation, world, admin));
      const outcome = isForAdmins(operation) ? [200] : [403, expect.stringMatching(/forbidden|membership/)];
      expect([operation, status, ...(status === 200 ? [] : [body.code])]).toEqual([operation, ...outcome]);
    }
    const { community } = await admin.editCommunity({ name, description: null });
    expect(community).toMatchObject({ closed: true, role: "visitor", description: null });
    const acts = (await admin.listAudit()).entries.map(({ act }) => act);
    for (const operation of adminOperations) expect(acts).toContain(operation);
  });

  test("a visitor without an account may only read", async () => {
    const world = await makeWorld();
    const anonymous = tandem.as.anonymous();
    for (const operation of communityOperations) {
      const { status } = await anonymous.call(operation, await inputOf(operation, world, world.owner));
      expect([operation, status]).toEqual([operation, 401]);
    }
    expect((await anonymous.readCommunity({ name: world.name })).community.role).toBe("visitor");
  });

  describe.each(aiPolicies)("with the policy %s", (policy) => {
    const isTaken: Record<AiPolicy, readonly Provenance[]> = {
      open: provenances,
      marked: provenances,
      approved_agents: ["human", "ai_assisted"],
      people_only: ["human"],
    };

    test("people post what it takes", async () => {
      const { owner, name } = await makeWorld();
      await owner.editCommunity({ name, aiPolicy: policy });
      for (const provenance of provenances) {
        const response = await owner.call("createPost", { title: unique(), community: name, provenance });
        const expected = isTaken[policy].includes(provenance) ? 200 : 403;
        expect([provenance, response.status]).toEqual([provenance, expected]);
        if (expected === 403)
          expect([response.body.code, response.body.field]).toEqual(["ai_policy", "provenance"]);
      }
      const silent = await owner.call("createPost", { title: unique(), community: name });
      expect(silent.status).toBe(policy === "marked" ? 403 : 200);
    });

    test("people show products that AI made where they may post what it made", async () => {
      const { owner, name, member } = await makeWorld();
      const key = await tandem.as.key(undefined, member);
      const { product } = await key.createProduct({ title: unique(), url: "https://example.org/loom" });
      const { post } = await member.createPost({ title: unique(), community: name });
      await owner.editCommunity({ name, aiPolicy: policy });
      const productIds = [product.id];
      const provenance = "human" as const;
      const outcomes = [
        await member.call("attachProduct", { id: post.id, productId: product.id }),
        await member.call("createPost", { title: unique(), community: name, provenance, productIds }),
      ].map(({ status, body }) => (status === 200 ? 200 : [body.code, body.field]));
      expect(outcomes).toEqual(
        isTaken[policy].includes("ai_generated")
          ? [200, 200]
          : [
              ["ai_policy", "productId"],
              ["ai_policy", "productIds"],
            ],
      );
    });

    test("agents and keys publish where it lets them, on every path", async () => {
      const { owner, name, member } = await makeWorld();
      const [agent, approved, key] = [
        await tandem.as.agent(owner),
        await tandem.as.agent(owner),
        await tandem.as.key(undefined, member),
      ];
      for (const caller of [agent, approved]) await caller.joinCommunity({ name });
      await owner.approveCommunityAgent({ name, username: approved.agent.username });
      const old = new Map<Client, { postId: number; commentId: number }>();
      for (const caller of [agent, approved, key]) {
        const { post } = await caller.createPost({ title: unique(), community: name });
        const { comment } = await caller.createComment({ id: post.id, body: unique() });
        old.set(caller, { postId: post.id, commentId: comment.id });
      }
      const { post: byPerson } = await member.createPost({ title: unique(), community: name });
      const drafts = new Map<Client, number>();
      for (const caller of [agent, approved, key]) {
        const { draft } = await caller.createDraft({ title: unique(), community: name });
        drafts.set(caller, draft.id);
      }
      await owner.editCommunity({ name, aiPolicy: policy });
      const expected = {
        open: [1, 1, 1],
        marked: [1, 1, 1],
        approved_agents: [0, 1, 0],
        people_only: [0, 0, 0],
      };
      for (const [i, caller] of [agent, approved, key].entries()) {
        const { postId = 0, commentId = 0 } = old.get(caller) ?? {};
        const paths = [
          await caller.call("createPost", { title: unique(), community: name }),
          await caller.call("createComment", { id: postId, body: unique() }),
          await caller.call("editPost", { id: postId, title: unique() }),
          await caller.call("editComment", { id: commentId, body: unique() }),
          await caller.call("publishDraft", { id: drafts.get(caller) ?? 0 }),
        ];
        const outcomes = paths.map(({ status, body }) => (status === 200 ? 1 : body.code));
        const outcome = expected[policy][i] === 1 ? 1 : "ai_policy";
        expect([i, outcomes]).toEqual([i, outcomes.map(() => outcome)]);
      }
      // A person's key would mark what the person wrote.
      const edit = await key.call("editPost", { id: byPerson.id, title: unique() });
      expect(edit.status).toBe(expected[policy][2] === 1 ? 200 : 403);
      expect((await member.call("editPost", { id: byPerson.id, body: unique() })).status).toBe(200);
    });
  });

  interface World extends Record<Standing, Person> {
    name: string;
    /** A post in it by each account that can or could post, and a comment on it. */
    posts: Map<Person, { postId: number; commentId: number; productId: number }>;
  }

  let texts = 0;
  /** Text that no one has posted yet. */
  function unique(): string {
    texts += 1;
    return `Text ${texts}`;
  }

  /** A community with an account of each standing. */
  async function makeWorld(): Promise<World> {
    const name = communityName();
    const [owner, moderator, member, visitor, banned] = await Promise.all(
      standings.map(() => tandem.as.human()),
    );
    if (!owner || !moderator || !member || !visitor || !banned) throw new Error("too few accounts");
    await owner.createCommunity({ name });
    for (const person of [moderator, member, visitor, banned]) await person.joinCommunity({ name });
    await owner.setCommunityRole({ name, username: moderator.user.username, role: "moderator" });
    const posts: World["posts"] = new Map();
    for (const person of [owner, moderator, member, visitor, banned]) {
      const { post } = await person.createPost({ title: unique(), community: name });
      const { comment } = await person.createComment({ id: post.id, body: unique() });
      const { product } = await person.createProduct({ title: unique(), url: "https://example.org/loom" });
      posts.set(person, { postId: post.id, commentId: comment.id, productId: product.id });
    }
    await visitor.leaveCommunity({ name });
    await owner.banFromCommunity({ name, username: banned.user.username, reason: "Advertising" });
    return { name, owner, moderator, member, visitor, banned, posts };
  }

  /** A valid input for a caller who may do it. */
  async function inputOf(operation: CommunityOperation, world: World, caller: Person): Promise<object> {
    const { name, owner, member } = world;
    const { postId = 0, commentId = 0, productId = 0 } = world.posts.get(caller) ?? {};
    const agent = async () => {
      const created = await tandem.as.agent(owner);
      await created.joinCommunity({ name });
      return created.agent.username;
    };
    const someone = { name, username: member.user.username };
    const reason = "Off topic";
    const { postId: theirPost = 0, commentId: theirComment = 0 } = world.posts.get(member) ?? {};
    switch (operation) {
      case "createPost":
        return { title: unique(), community: name };
      case "editPost":
        return { id: postId, title: unique() };
      case "attachProduct":
        return { id: postId, productId };
      case "createComment":
        return { id: postId, body: unique() };
      case "editComment":
        return { id: commentId, body: unique() };
      case "editCommunity":
        return { name, description: unique() };
      case "setCommunityPicture":
        return { name, image: pixel };
      case "setCommunityRole":
        return { ...someone, role: "moderator" };
      case "approveCommunityAgent":
      case "withdrawAgentApproval":
        return { name, username: await agent() };
      case "removeCommunityPost":
        return { name, id: theirPost, reason };
      case "restoreCommunityPost":
        await owner.removeCommunityPost({ name, id: theirPost, reason });
        return { name, id: theirPost };
      case "removeCommunityComment":
        return { name, id: theirComment, reason };
      case "restoreCommunityComment":
        await owner.removeCommunityComment({ name, id: theirComment, reason });
        return { name, id: theirComment };
      case "pinCommunityPost":
      case "unpinCommunityPost":
        return { name, id: theirPost };
      case "banFromCommunity":
        return { ...someone, reason };
      case "resolveCommunityReports": {
        await member.createReport({ commentId: world.posts.get(owner)?.commentId, reason });
        const { cases } = await owner.listCommunityCases({ name });
        return { name, ids: [cases[0]?.id ?? 0], action: "dismiss", reason };
      }
      case "liftCommunityBan":
        return { name, username: world.banned.user.username };
      default:
        return { name };
    }
  }
});
