import { IDEMPOTENCY_LIFE } from "./http/idempotency.ts";
import type { Job } from "./jobs/job.ts";

/** A caller's last write is told from its window of quota a little longer than the window lasts; in milliseconds. */
const WINDOWS_KEPT = 60_000;

/** Sweeps out what has ended: sessions, quota windows, idempotency records, nonces. */
export const sweep: Job = {
  name: "sweep",
  every: 600_000,
  async run({ storage, now }) {
    const time = now();
    await storage.write(async (tx) => {
      await tx.deleteFrom("sessions").where("expires_at", "<=", time).execute();
      await tx
        .deleteFrom("quota_windows")
        .where("ends_at", "<=", time - WINDOWS_KEPT)
        .execute();
      await tx.deleteFrom("nonces").where("expires_at", "<=", time).execute();
      await tx
        .deleteFrom("idempotency")
        .where("created_at", "<=", time - IDEMPOTENCY_LIFE)
        .execute();
    });
  },
};
