import { join } from "node:path";
import { readConfig } from "../config.ts";
import { openStore } from "../media/open-store.ts";
import { DamagedDatabase } from "../storage/existing.ts";
import { latestSchema, schemaOf } from "../storage/migrate.ts";
import { openExisting, withoutLimits } from "../storage/open.ts";
import type { Db } from "../storage/storage.ts";
import { counterRules } from "./check/counters.ts";
import { checkLog, receiptRules } from "./check/log.ts";
import { mediaRules } from "./check/media.ts";
import { quotaRule } from "./check/quotas.ts";
import { relationRules } from "./check/relations.ts";
import type { Report } from "./check/rule.ts";
import { checkRule } from "./check/run-rule.ts";
import { checkSchema } from "./check/schema.ts";
import { tagRules } from "./check/tags.ts";
import { textRules } from "./check/texts.ts";
import { checkWhole } from "./check/whole.ts";
import type { Command } from "./command.ts";
import { printable } from "./printable.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const check: Command = {
  usage: "check [--repair] [--media]",
  description: [
    "Check everything that must agree: counters, the indexes of texts and hashtags, media and their rows, quotas, references,",
    "drafts, the audit log and the transparency log. The service may run. With --repair, correct what follows from other",
    "data; the rest is listed. With --media, every file is read and its content compared. The exit code is 1 if anything is wrong",
    "that wasn't repaired.",
  ].join("\n"),
  async run(args, open, { out, error }, env) {
    const flags = new Set(args);
    const [repairs, contents] = [flags.delete("--repair"), flags.delete("--media")];
    if (flags.size > 0) throw new UsageError("Expected --repair, --media, both or nothing.");
    const config = readConfig(env);
    const database = await openExisting(withoutLimits(config));
    try {
      await requireCurrent(database.read);
      const [damage] = await database.read.engine.catalog.damages(database.read);
      if (damage !== undefined) throw new DamagedDatabase(`The database is damaged: ${damage}`);
      let left = 0;
      let repaired = 0;
      const report: Report = (problem, isRepaired, count = 1) => {
        if (isRepaired) repaired += count;
        else left += count;
        out(`${isRepaired ? "Repaired" : "Wrong"}: ${printable(problem)}`);
      };
      if (!(await checkSchema(database.read, report)))
        throw new Refusal(
          `${counted(left)} found. Nothing else can be checked without what is missing. Restore a backup.`,
        );
      const repair = repairs ? await open() : null;
      const store = openStore(config, join(config.dataDir, "incoming"));
      for (const rule of [
        ...counterRules,
        ...relationRules,
        ...textRules,
        ...tagRules,
        ...mediaRules(store, contents),
        ...receiptRules,
        quotaRule(config.limits),
      ]) {
        error(`Checking that ${rule.what}`);
        await checkRule(rule, database.read, repair, report);
      }
      await checkWhole(database.read, repair, report);
      await checkLog(database.read, config.dataDir, repair, report);
      if (repaired > 0) out(`${counted(repaired)} repaired.`);
      if (left > 0) throw new Refusal(`${counted(left)} found.`);
      out(repaired > 0 ? "Nothing else is wrong." : "Nothing is wrong.");
    } catch (error) {
      if (!(error instanceof DamagedDatabase)) throw error;
      throw new Refusal(`${error.message}. Restore a backup.`);
    } finally {
      await database.close();
    }
  },
};

const counted = (n: number) => `${n} ${n === 1 ? "problem was" : "problems were"}`;

async function requireCurrent(db: Db): Promise<void> {
  const schema = await schemaOf(db);
  if (schema === latestSchema) return;
  throw new Refusal(
    schema === null
      ? "The configured database has no data of Tandem."
      : `The database has the schema ${schema}, and this version of Tandem checks ${latestSchema}: start the service once.`,
  );
}
