/** A line that is read from left to right. Knows columns, because tabs reach to the next multiple of four. */
export class Line {
  /** What isn't read yet. */
  rest: string;
  #column = 0;

  constructor(text: string) {
    this.rest = text;
  }

  get isBlank(): boolean {
    return /^[ \t]*$/.test(this.rest);
  }

  /** How far the rest is indented, in columns. */
  get indent(): number {
    let columns = 0;
    for (const character of this.rest) {
      if (character === " ") columns += 1;
      else if (character === "\t") columns += this.#tabWidth(this.#column + columns);
      else break;
    }
    return columns;
  }

  #tabWidth(column: number): number {
    return 4 - (column % 4);
  }

  /** Skips characters that aren't tabs. */
  skip(characters: number): void {
    this.rest = this.rest.slice(characters);
    this.#column += characters;
  }

  /** Skips indentation, at most so many columns. A tab that is skipped in part leaves spaces. */
  skipIndent(columns: number): void {
    let left = columns;
    while (left > 0 && /^[ \t]/.test(this.rest)) {
      const width = this.rest.startsWith("\t") ? this.#tabWidth(this.#column) : 1;
      if (width > left) this.rest = " ".repeat(width) + this.rest.slice(1);
      else {
        this.rest = this.rest.slice(1);
        this.#column += width;
        left -= width;
      }
    }
  }
}
