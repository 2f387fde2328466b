import { type CSSToken, isTokenIdent, isTokenNumeric, TokenType, tokenize } from "@csstools/css-tokenizer";

/** A property's value: its tokens without white space and comments. */
export type Value = CSSToken[];

interface Declaration {
  name: string;
  value: Value;
  isImportant: boolean;
}

/** The declarations of a `style` attribute, in the order in which they take effect: the last of a property wins. */
export function declarationsOf(css: string): Declaration[] {
  const found: Declaration[] = [];
  let current: CSSToken[] = [];
  let depth = 0;
  for (const token of tokenize({ css })) {
    const [type] = token;
    if (openers.has(type)) depth++;
    if (closers.has(type)) depth = Math.max(depth - 1, 0);
    const ends = type === TokenType.EOF || (type === TokenType.Semicolon && depth === 0);
    if (ends) {
      const declaration = declarationIn(current);
      if (declaration) found.push(declaration);
      current = [];
    } else if (type !== TokenType.Whitespace && type !== TokenType.Comment) current.push(token);
  }
  return [
    ...found.filter(({ isImportant }) => !isImportant),
    ...found.filter(({ isImportant }) => isImportant),
  ];
}

export const openers = new Set<string>([
  TokenType.Function,
  TokenType.OpenParen,
  TokenType.OpenSquare,
  TokenType.OpenCurly,
]);
export const closers = new Set<string>([TokenType.CloseParen, TokenType.CloseSquare, TokenType.CloseCurly]);

function declarationIn(tokens: CSSToken[]): Declaration | null {
  const [name, colon] = tokens;
  if (!isTokenIdent(name) || colon?.[0] !== TokenType.Colon) return null;
  const [mark, word] = tokens.slice(-2);
  const isImportant = mark?.[1] === "!" && isTokenIdent(word) && lower(word[4].value) === "important";
  return {
    name: lower(name[4].value),
    value: isImportant ? tokens.slice(2, -2) : tokens.slice(2),
    isImportant,
  };
}

/** The keyword that a value consists of, in lower case; null if it is anything else. */
export function keyword([token, ...rest]: Value): string | null {
  return rest.length === 0 && isTokenIdent(token) ? lower(token[4].value) : null;
}

export interface Amount {
  value: number;
  /** In lower case, `%` for percentages, empty for plain numbers. */
  unit: string;
  /** Whether it is a sum of units whose sizes only a window or a font determines. */
  isRough?: boolean | undefined;
}

/** A token's number; null if it isn't one. */
export function amountOf(token: CSSToken | undefined): Amount | null {
  if (!token || !isTokenNumeric(token)) return null;
  const unit = token[0] === TokenType.Dimension ? lower(token[4].unit) : "";
  return { value: token[4].value, unit: token[0] === TokenType.Percentage ? "%" : unit };
}

/** All numbers in a value, also those in functions. */
export function amountsIn(value: Value): Amount[] {
  return value.flatMap((token) => amountOf(token) ?? []);
}

/** The arguments of each function in a value, by name in lower case. A function in a function counts as its arguments. */
export function functionsIn(value: Value): { name: string; args: Value }[] {
  const found: { name: string; args: Value }[] = [];
  let depth = 0;
  for (const token of value) {
    if (closers.has(token[0])) depth--;
    if (depth > 0) found.at(-1)?.args.push(token);
    else if (token[0] === TokenType.Function) found.push({ name: lower(token[4].value), args: [] });
    if (openers.has(token[0])) depth++;
  }
  return found;
}

/** Pixels per unit, roughly; relative units count as usual sizes, such as a window of 1000 pixels. */
const pixels: Record<string, number> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 38,
  mm: 3.8,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
};

export function pixelsOf({ value, unit }: Amount): number {
  if (unit === "") return value;
  return value * (pixels[unit] ?? 10);
}

function lower(text: string): string {
  return text.toLowerCase();
}
