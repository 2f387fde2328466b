/**
 * Where something happened, each place a word or two such as `inbox 42`. Who hears of a place looks there: the words may
 * come late, twice, or, from other processes, not at all.
 */
export type Places = ReadonlySet<string>;

/** Told of places after the commit; `ours` says whether this process wrote there. */
export type Hearer = (places: Places, ours: boolean) => void;

/** What was committed, told to whoever listens in this process; and, where the engine can, in all others. */
export class News {
  /** Whether what others write is heard of just now. Where not, who must know has to look. */
  reachesAll = false;
  /** How many this process told of what, by its name, in all that was committed. */
  readonly told = new Map<string, number>();
  readonly #hearers = new Set<Hearer>();

  /** Hears until the function that it gives back is called. */
  hear(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    return () => void this.#hearers.delete(hearer);
  }

  tell(places: Places, ours: boolean): void {
    if (places.size === 0) return;
    for (const hearer of this.#hearers) hearer(places, ours);
  }

  /** Begins to hear of what others write, until {@link unfollow}. */
  follow(): void {}

  unfollow(): void {}

  /** Tells the other processes, too. */
  spread(places: Places): void {
    this.tell(places, true);
  }
}

interface Noting {
  readonly places: Set<string>;
  readonly told: Map<string, number>;
}

/** Runs a transaction, and spreads word of the places that it named once it is committed. */
export async function spreading<Tx extends Noting, T>(
  news: News,
  run: (work: (tx: Tx) => Promise<T>) => Promise<T>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let places: Places = new Set();
  let told: Noting["told"] = new Map();
  const value = await run(async (tx) => {
    // Of an earlier transaction, or of a try that failed.
    tx.places.clear();
    tx.told.clear();
    const done = await work(tx);
    places = new Set(tx.places);
    told = new Map(tx.told);
    return done;
  });
  for (const [name, times] of told) news.told.set(name, (news.told.get(name) ?? 0) + times);
  if (places.size > 0) news.spread(places);
  return value;
}
