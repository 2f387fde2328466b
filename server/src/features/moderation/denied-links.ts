import { limits } from "@tandem/contract/limits";
import type { DeniedLink } from "@tandem/contract/moderation";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { hostOf } from "../../http/denied-links.ts";

export const deniedLinks = {
  async listDeniedLinks({ read }) {
    const rows = await read
      .selectFrom("denied_links")
      .selectAll()
      .orderBy("host")
      .limit(limits.longList)
      .execute();
    return { hosts: rows.map(asDeniedLink) };
  },
  denyLink: ({ write, now }, { host, reason = null }) =>
    write(async (tx) => {
      const row = await tx
        .insertInto("denied_links")
        .values({ host: nameOf(host), reason, created_at: now })
        .onConflict((conflict) => conflict.column("host").doUpdateSet({ reason }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return { host: asDeniedLink(row) };
    }),
  allowLink: ({ write }, { host }) =>
    write(async (tx) => {
      const gone = await tx.deleteFrom("denied_links").where("host", "=", nameOf(host)).executeTakeFirst();
      if (gone.numDeletedRows === 0n) throw notFound("denied host");
      return { allowed: true };
    }),
} satisfies Handlers<"listDeniedLinks" | "denyLink" | "allowLink">;

/** As links are compared with it. */
function nameOf(host: string): string {
  const name = hostOf(`http://${host}`);
  if (name === null) throw invalid("host", "host takes a host's name, such as spam.example.");
  return name;
}

function asDeniedLink({
  created_at,
  ...row
}: {
  host: string;
  reason: string | null;
  created_at: number;
}): DeniedLink {
  return { ...row, createdAt: new Date(created_at).toISOString() };
}
