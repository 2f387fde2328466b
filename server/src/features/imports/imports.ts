import { randomBytes } from "node:crypto";
import { type ImportPart, importParts } from "@tandem/contract/imports";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Received } from "../../http/form.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { countAttempt, importAttempt } from "../accounts/throttle.ts";
import { addImport, importsOf, isImporting, missingOf, setDue, setUndoing } from "./imports.queries.ts";
import { endImport, runImports } from "./run-imports.ts";

export const imports = {
  async startImport(ctx, { platform, parts, file }) {
    const { services, caller, now } = ctx;
    const name = `${randomBytes(24).toString("hex")}.import`;
    let added: number | null = null;
    const response = await ctx.write(async (tx) => {
      await lockAccount(tx, caller.userId);
      if (await isImporting(tx, caller.userId)) throw new ApiError("import_running");
      await countAttempt(ctx, tx, importAttempt(ctx));
      const of = { userId: caller.userId, platform, parts: partsOf(parts), file: name, now };
      added = await addImport(tx, of);
      const [first] = await importsOf(tx, caller.userId, now);
      if (!first) throw new Error("the new import is missing");
      return { import: first };
    });
    // Without one, the call was a dry run or a repetition.
    if (added !== null && !ctx.dryRun) {
      await store(ctx, added, name, file);
      services.afterResponse.run("imports", () => runImports(services));
    }
    return response;
  },
  listImports: async (ctx) => ({ imports: await importsOf(ctx.read, ctx.caller.userId, ctx.now) }),
  async undoImport(ctx, { id }) {
    const { services, caller, now } = ctx;
    const response = await ctx.write(async (tx) => {
      await lockAccount(tx, caller.userId);
      const undoing = await setUndoing(tx, caller.userId, id, now);
      if (!undoing) throw notFound("import");
      return { import: undoing };
    });
    if (!ctx.dryRun) services.afterResponse.run("imports", () => runImports(services));
    return response;
  },
  async listMissing(ctx, { id }) {
    const missing = await missingOf(ctx.read, ctx.caller.userId, id);
    if (missing === null) throw notFound("import");
    return { missing };
  },
} satisfies Handlers<"startImport" | "listImports" | "undoImport" | "listMissing">;

/** In their order, each once. */
function partsOf(listed: string | undefined): ImportPart[] {
  const names = listed?.split(",");
  return importParts.filter((part) => names?.includes(part) ?? true);
}

/** The row is written first, so that no stored file lacks one. */
async function store({ services, now }: SignedIn, id: number, name: string, file: Received): Promise<void> {
  const { storage, media } = services;
  try {
    await media.store.put(name, file.path);
  } catch (error) {
    await storage.write((tx) => endImport(tx, id, "internal", now));
    throw error;
  }
  // The sweep of an import that was undone meanwhile may have come before the file.
  if (!(await storage.write((tx) => setDue(tx, id, now)))) await media.store.remove([name]);
}
