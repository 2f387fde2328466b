import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { uniqueName } from "@tandem/testing/callers";
import { makeFullUser } from "@tandem/testing/inputs";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

/** Values of which nothing exists, by the names of fields. */
function missing(name: string): unknown {
  if (/^id$|Id$/.test(name)) return 987_654_321;
  if (/^ids$|Ids$/.test(name)) return [987_654_321];
  return ["username", "author", "community", "host"].includes(name) ? uniqueName("none") : undefined;
}

test("a 404 names the field of the body or query that names what doesn't exist", async () => {
  await using tandem = await startTandem("sqlite");
  const { person, inputs } = await makeFullUser(tandem);
  const found: string[] = [];
  for (const op of operationList)
    for (const field of Object.keys({ ...op.query.properties, ...op.body.properties })) {
      const value = missing(field);
      if (value === undefined) continue;
      const name = op.name as OperationName;
      const others = name === "createReport" ? { reason: "Advertising" } : inputs[name];
      const input = { ...others, ...(field === "author" && { platform: "native" }), [field]: value };
      const { status, body } = await person.call(name, input, { dryRun: isWrite(op) });
      if (status !== 404) continue;
      const place = `${name}.${field}`;
      found.push(place);
      expect([place, body.field, body.errors]).toEqual([place, field, [expect.objectContaining({ field })]]);
    }
  for (const known of [
    "createPost.productIds",
    "createPost.community",
    "createPost.quoteId",
    "attachProduct.productId",
    "addToCollection.postId",
    "follow.author",
    "block.username",
    "createReport.commentId",
    "createReport.username",
    "deleteProduct.id",
    "editWebhook.id",
    "mintKey.agentId",
    "listPosts.listId",
    "allowLink.host",
    "resolveReports.ids",
  ])
    expect(found).toContain(known);
  // What the path names has no field.
  const name = uniqueName("none");
  const reports = { ids: [1], action: "dismiss", reason: "None" } as const;
  for (const { status, body } of [
    await person.call("readPost", { id: 987_654_321 }),
    await person.call("resolveCommunityReports", { name, ...reports }),
  ])
    expect([status, body.field]).toEqual([404, undefined]);
});
