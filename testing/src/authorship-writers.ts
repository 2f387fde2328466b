import { PendingApproval } from "@tandem/client/index";
import { approvalOf } from "@tandem/contract/approval";
import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { publishedFields } from "@tandem/contract/schema";
import fc from "fast-check";
import { type Actor, actors, type World } from "./authorship-model.ts";
import { type Step as AnyStep, stepArbitrary as arbitraryOf } from "./authorship-step.ts";
import { otherWrites } from "./authorship-write-others.ts";
import { postWrites } from "./authorship-write-posts.ts";

/** All writes of texts and pictures, in random order or one after the other. */

const writes = { ...postWrites, ...otherWrites };
const names = Object.keys(writes) as (keyof typeof writes)[];

export type Step = AnyStep<keyof typeof writes>;

/** Pictures take long; deleting and undoing ends much of what could go wrong. */
const rare: ReadonlySet<string> = new Set<keyof typeof writes>([
  ...(["createPicture", "setAvatar", "setBanner", "deleteBanner", "goLive"] as const),
  ...(["deletePost", "deleteComment", "deleteProduct", "clearVersions", "editCommunity", "undo"] as const),
]);
export const stepArbitrary: fc.Arbitrary<Step> = arbitraryOf(
  fc.oneof(...names.map((name) => ({ arbitrary: fc.constant(name), weight: rare.has(name) ? 1 : 4 }))),
);

/** These leave nothing to check, so they come last. */
const ending: readonly (keyof typeof writes)[] = [
  "deletePost",
  "deleteComment",
  "deleteProduct",
  "deleteBanner",
];

/** Every write by the person, then every write by another: each write meets each actor. */
export function everyWriteBy(actor: Actor): Step[] {
  const field = actors.indexOf(actor);
  const decision = actor === "asking" ? "edit and approve" : "approve";
  const step = { target: 0, other: 1, field, declared: "human", decision } as const;
  const all = names.filter((name) => name !== "undo" && !ending.includes(name));
  // What the person only creates, or only publishes, is there for the other to edit.
  const first = all.filter((name) => name !== "publishDraft" && name !== "schedule");
  const drafts = (["createDraft", "publishDraft", "createDraft", "schedule"] as const).map((write) => ({
    ...step,
    write,
    actor: write === "createDraft" ? ("ada" as const) : actor,
  }));
  return [
    ...first.map((write) => ({ ...step, write, actor: "ada" as const })),
    ...all.map((write) => ({ ...step, write, actor })),
    // In the community, and with another field than the first edit.
    ...(["createPost", "editPost", "editProduct"] as const).map((write) => ({
      ...{ ...step, write, actor },
      ...{ target: 1, other: 2, field: field + 1 },
    })),
    ...drafts,
    // Clearing a field of the profile (`other: 4`) marks nothing, and the person's last word takes no mark off.
    ...first
      .filter((write) => write.startsWith("edit"))
      .flatMap((write) => [4, 1].map((other) => ({ ...step, write, other, actor: "ada" as const }))),
    // The last of several, so that the others can still be read.
    ...ending.map((write) => ({ ...step, write, target: 9, actor })),
  ];
}

export async function perform(world: World, step: Step): Promise<void> {
  await writes[step.write](world, step).catch((error) => {
    // The client throws for a call that waits, which only the calls above expect.
    if (!(error instanceof PendingApproval)) throw error;
  });
}

/**
 * The operations that put text or media before others, or take it away, and their fields, as `operation` and
 * `operation.field`. From the contract, so that a new one can't be forgotten.
 */
export function publishingInputs(): string[] {
  return operationList.filter(isWrite).flatMap((op) => {
    const waits: string | undefined = Object.hasOwn(approvalOf, op.name)
      ? approvalOf[op.name as keyof typeof approvalOf]
      : undefined;
    const fields = [...publishedFields(op.body), ...Object.keys(op.files)];
    const publishes = waits === "held" || waits === "drafts" || fields.length > 0;
    return publishes ? [op.name, ...fields.map((field) => `${op.name}.${field}`)] : [];
  });
}

const only = (reason: string, ...inputs: (OperationName | `${OperationName}.${string}`)[]) =>
  inputs.map((input) => [input, reason] as const);

/** What the model doesn't write, and why. An operation's entry is for its fields, too. */
export const unmodelledInputs: ReadonlyMap<string, string> = new Map([
  ...only(
    "people's sessions only, so that no key or agent writes it; createCommunity is as editCommunity, which the model does",
    ...(["createCommunity", "setCommunityPicture", "createAgent", "createAppeal", "createReport"] as const),
    ...(["banFromCommunity", "removeCommunityComment", "removeCommunityPost"] as const),
    ...(["resolveCommunityReports", "addPasskey", "renamePasskey", "mintKey", "editKey"] as const),
    ...(["approveAuthorizationRequest", "approveAgentRequest", "startImport"] as const),
  ),
  ...only(
    "admins' sessions only",
    ...(["refuseSignUp", "addSource", "importSources", "answerAppeal", "denyLink", "removeComment"] as const),
    ...(["removePost", "resolveReports", "removeProfilePicture", "suspendAccount", "saveSitePage"] as const),
  ),
  ...only(
    "names an author, without a text",
    ...(["follow", "unfollow", "mute", "unmute", "addToList", "removeFromList"] as const),
  ),
  ...only(
    "for no one else's eyes",
    ...(["signUp", "createWebhook", "editWebhook", "createSavedSearch", "followCommunity"] as const),
    "unfollowCommunity",
  ),
  ...only("what an agent asks for is marked from the start: agent-requests.test.ts", "requestAgent"),
  ...only(
    "videos take long; their files get the mark that pictures get: media/video.test.ts",
    ...(["createPost.video", "createPost.thumbnail"] as const),
  ),
]);
