import type { ImportCount, ImportOutcome, ImportPart, MissingItem } from "@tandem/contract/imports";
import { limits } from "@tandem/contract/limits";

interface Saved {
  done: number;
  counts: string;
  missing: string;
}

/** How far an import is, and what became of its items. */
export class Progress {
  done: number;
  readonly #counts: ImportCount[];
  readonly #missing: MissingItem[];

  private constructor(done: number, counts: ImportCount[], missing: MissingItem[]) {
    this.done = done;
    this.#counts = counts;
    this.#missing = missing;
  }

  static begin(left: readonly ImportCount[]): Progress {
    return new Progress(0, structuredClone([...left]), []);
  }

  static of({ done, counts, missing }: Saved): Progress {
    return new Progress(done, JSON.parse(counts), JSON.parse(missing));
  }

  /** Transactions may run twice, so each changes a copy. */
  copy(): Progress {
    return new Progress(this.done, structuredClone(this.#counts), [...this.#missing]);
  }

  count(part: ImportPart, outcome: ImportOutcome, count = 1): void {
    if (count === 0) return;
    const known = this.#counts.find((one) => one.part === part && one.outcome === outcome);
    if (known) known.count += count;
    else this.#counts.push({ part, outcome, count });
  }

  miss(part: ImportPart, name: string): void {
    this.count(part, "not_found");
    if (this.#missing.length < limits.importMissing) this.#missing.push({ part, name });
  }

  columns(): Saved {
    return {
      done: this.done,
      counts: JSON.stringify(this.#counts),
      missing: JSON.stringify(this.#missing),
    };
  }
}
