import type { Account } from "./model.ts";
import type { World } from "./world.ts";

/** The mean per account. */
const FOLLOWS = 10;
const MAX_FOLLOWS = 400;
/** The share of follows of accounts on Tandem; the others are of external authors. */
const NATIVE = 0.65;

export interface Follow {
  account: Account;
  creatorId: number;
}

/** Whom these accounts follow. `first` is the number of the first. Needs the creators' ids. */
export function createFollows(
  world: World,
  accounts: Account[],
  first: number,
  externalCreators: readonly number[],
): Follow[] {
  const random = world.random("follows", first);
  return accounts.flatMap((account) => {
    const followed = new Set<number>();
    for (let tries = 1 + random.longTail(FOLLOWS, MAX_FOLLOWS); tries > 0; tries -= 1) {
      const native = externalCreators.length === 0 || random.chance(NATIVE);
      followed.add(
        native ? random.pickSkewed(world.accounts, 2.2).creatorId : random.pickSkewed(externalCreators),
      );
    }
    followed.delete(account.creatorId);
    return [...followed].sort((a, b) => a - b).map((creatorId) => ({ account, creatorId }));
  });
}
