import { type CSSToken, TokenType } from "@csstools/css-tokenizer";
import { type Amount, amountOf, closers, openers, pixelsOf, type Value } from "./style.ts";

/** Functions nested deeper count as unknown. */
const MAX_DEPTH = 8;

/** The parts of a list of values: numbers, and the results of calculations. Null for others, such as words. */
export function partsOf(value: Value): (Amount | null)[] {
  return split(value)
    .filter(([first]) => first?.[0] !== TokenType.Comma && first?.[0] !== TokenType.Delim)
    .map((part) => resultOf(part, 0));
}

/** A number or a calculation that stands alone; some amount for a calculation with an unknown result. Null for anything else. */
export function single(value: Value): Amount | null {
  const [result, ...more] = partsOf(value);
  if (result === undefined || more.length > 0) return null;
  if (result && !result.isRough) return result;
  const [first] = value;
  return first && /^(?:calc|min|max|clamp)$/.test(functionName(first)) ? { value: 100, unit: "px" } : null;
}

/** Splits a value into single tokens and whole functions. */
function split(value: Value): Value[] {
  const parts: Value[] = [];
  let depth = 0;
  for (const token of value) {
    if (depth > 0) parts.at(-1)?.push(token);
    else parts.push([token]);
    if (openers.has(token[0])) depth++;
    if (closers.has(token[0])) depth = Math.max(depth - 1, 0);
  }
  return parts;
}

function resultOf(part: Value, depth: number): Amount | null {
  const [first] = part;
  if (part.length === 1) return amountOf(first);
  if (!first || depth > MAX_DEPTH) return null;
  const inner = part.at(-1)?.[0] === TokenType.CloseParen ? part.slice(1, -1) : part.slice(1);
  const results = argumentsIn(inner).map((argument) => calculate(argument, depth));
  const known = results.filter((result) => result !== null);
  const [one, two, three] = known;
  if (!one || known.length < results.length) return null;
  switch (functionName(first)) {
    case "calc":
      return known.length === 1 ? one : null;
    case "min":
      return known.reduce(smaller);
    case "max":
      return known.reduce(larger);
    case "clamp":
      return two && three ? larger(one, smaller(two, three)) : null;
    default:
      return null;
  }
}

function functionName(token: CSSToken): string {
  if (token[0] === TokenType.OpenParen) return "calc";
  return token[0] === TokenType.Function ? token[4].value.toLowerCase() : "";
}

function argumentsIn(value: Value): Value[] {
  const found: Value[] = [[]];
  for (const part of split(value)) {
    if (part[0]?.[0] === TokenType.Comma) found.push([]);
    else found.at(-1)?.push(...part);
  }
  return found;
}

/** The result of operands and operators in turn. */
function calculate(value: Value, depth: number): Amount | null {
  const summands: Amount[] = [];
  let operator = "+";
  for (const [at, part] of split(value).entries()) {
    if (at % 2 === 1) {
      operator = part[0]?.[1] ?? "";
      continue;
    }
    const operand = resultOf(part, depth + 1);
    const last = summands.at(-1);
    if (!operand) return null;
    if (operator === "+") summands.push(operand);
    else if (operator === "-") summands.push({ ...operand, value: -operand.value });
    else if (last && operator === "*") summands.splice(-1, 1, product(last, operand));
    else if (last && operator === "/" && operand.value !== 0)
      summands.splice(-1, 1, { ...last, value: last.value / operand.value });
    else return null;
  }
  return summands.length > 0 ? summands.reduce(sum) : null;
}

function product(one: Amount, other: Amount): Amount {
  return { ...(one.unit === "" ? other : one), value: one.value * other.value };
}

function sum(one: Amount, other: Amount): Amount {
  const isRough = one.isRough || other.isRough;
  if (one.unit === other.unit) return { ...one, value: one.value + other.value, isRough };
  if (one.value === 0) return other;
  if (other.value === 0) return one;
  return { value: pixelsOf(one) + pixelsOf(other), unit: "px", isRough: true };
}

function smaller(one: Amount, other: Amount): Amount {
  return pixelsOf(other) < pixelsOf(one) ? other : one;
}

function larger(one: Amount, other: Amount): Amount {
  return pixelsOf(other) > pixelsOf(one) ? other : one;
}
