import type { House } from "./http/house.ts";
import { IDEMPOTENCY_LIFE } from "./http/idempotency.ts";

const EVERY = 600_000;

/** Sweeps out what has ended: sessions, quota windows, idempotency records, nonces. */
export async function sweep({ storage, now }: House): Promise<void> {
  const time = now();
  await storage.write(async (tx) => {
    await tx.deleteFrom("sessions").where("expires_at", "<=", time).execute();
    await tx.deleteFrom("quota_windows").where("ends_at", "<=", time).execute();
    await tx.deleteFrom("nonces").where("expires_at", "<=", time).execute();
    await tx
      .deleteFrom("idempotency")
      .where("created_at", "<=", time - IDEMPOTENCY_LIFE)
      .execute();
  });
}

/** Sweeps now and then; gives back what ends it. */
export function keepHouse(house: House): () => void {
  const once = () => sweep(house).catch((error) => house.log.error({ err: error }, "sweeping failed"));
  void once();
  const timer = setInterval(once, EVERY);
  timer.unref();
  return () => clearInterval(timer);
}
