import { DAY } from "@tandem/contract/durations";
import type { Account } from "./model.ts";
import type { World } from "./world.ts";

/** A link on a profile, in its place. */
export interface ProfileLink {
  account: Account;
  position: number;
  host: string;
  /** Null if the page doesn't point back. */
  verifiedAt: number | null;
  checkedAt: number;
}

const WITH_LINKS = 0.4;
const WITH_SECOND = 0.3;
const VERIFIED = 0.7;

/** Links on some people's profiles, most of them verified. */
export function createLinks({ random: randomOf, people, span }: World): ProfileLink[] {
  const random = randomOf("links");
  return people.flatMap((account) => {
    if (!random.chance(WITH_LINKS)) return [];
    const name = account.username.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    const hosts = [`${name}.example`, ...(random.chance(WITH_SECOND) ? ["blog.example.org"] : [])];
    return hosts.map((host, position) => {
      const checkedAt = Math.floor(span.end - random.delay(3 * DAY));
      return { account, position, host, verifiedAt: random.chance(VERIFIED) ? checkedAt : null, checkedAt };
    });
  });
}
