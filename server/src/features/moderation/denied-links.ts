import { limits } from "@tandem/contract/limits";
import type { DeniedLink } from "@tandem/contract/moderation";
import { ApiError, invalid } from "../../http/api-error.ts";
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
        .values({ host: normalizeHost(host), reason, created_at: now })
        .onConflict((conflict) => conflict.column("host").doUpdateSet({ reason }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return { host: asDeniedLink(row) };
    }),
  allowLink: ({ write }, { host }) =>
    write(async (tx) => {
      const deleted = await tx
        .deleteFrom("denied_links")
        .where("host", "=", normalizeHost(host))
        .executeTakeFirst();
      if (deleted.numDeletedRows === 0n)
        throw new ApiError("not_found", "This host isn't blocked.", { field: "host" });
      return { allowed: true };
    }),
} satisfies Handlers<"listDeniedLinks" | "denyLink" | "allowLink">;

/** The form in which links are compared with it. */
function normalizeHost(host: string): string {
  const name = hostOf(`http://${host}`);
  if (name === null) throw invalid("host", "host must be a host name, such as spam.example.");
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
