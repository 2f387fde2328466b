import { partsOf, single } from "./calc.ts";
import {
  type Amount,
  amountOf,
  amountsIn,
  declarationsOf,
  functionsIn,
  keyword,
  pixelsOf,
  type Value,
} from "./style.ts";

/**
 * What a style does that can hide text; numbers are lengths in pixels.
 * Undefined if it doesn't say, or leaves it as it is outside the element.
 */
export type Effects = Partial<Record<string, boolean | number | undefined>>;

/** The effects of a `style` attribute. Later declarations of an effect replace earlier ones; invalid ones have none. */
export function effectsOf(css: string): Effects {
  const effects: Effects = {};
  if (css === "") return effects;
  for (const { name, value } of declarationsOf(css)) {
    if (Object.hasOwn(readers, name)) Object.assign(effects, readers[name]?.(value));
  }
  // Transparent letters still show their outline, their shadow, and a background that is clipped to them.
  const isDecorated = effects.stroked || effects.shadowed || effects.filled;
  const transparent = effects.unfilled ?? effects.colorless;
  // Lines without height show only if something else gives their box a height.
  const isFlat = effects.flatLines && effects.clipsY && !effects.tall && !effects.heightened;
  const hasPadding = Number(effects["padding-top"] ?? 0) + Number(effects["padding-bottom"] ?? 0) > 0;
  return {
    ...effects,
    transparent: transparent && isDecorated ? false : transparent,
    flattened: effects.flatLines === false || effects.tall ? false : (isFlat && !hasPadding) || undefined,
  };
}

type Reader = (value: Value) => Effects;

/** Text that is less opaque can't be read. */
const FAINT = 0.05;
/** A factor that shrinks text of 16 pixels to less than one. */
const MINUTE = 1 / 16;

const offsetNames = ["top", "right", "bottom", "left"] as const;
const displays =
  /^(?:-webkit-(?:inline-)?(?:box|flex)|block|inline|contents|flow|flow-root|run-in|list-item|math|ruby.*|(?:inline-)?(?:block|flex|grid|table)|table-.*|initial|inherit|unset|revert|revert-layer)$/;
const sizes = /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|initial)$/;

/** By property, in lower case. */
const readers: Record<string, Reader> = {
  display: (value) => {
    const word = keyword(value);
    if (word === "none") return { absent: true };
    return value.length > 1 || (word !== null && displays.test(word)) ? { absent: false } : {};
  },
  "content-visibility": (value) => ({ skipped: keyword(value) === "hidden" }),
  visibility: (value) => {
    const word = keyword(value) ?? "";
    if (/^(?:hidden|collapse)$/.test(word)) return { invisible: true };
    if (/^(?:visible|initial)$/.test(word)) return { invisible: false };
    return /^(?:inherit|unset)$/.test(word) ? { invisible: undefined } : {};
  },
  opacity: (value) => {
    const amount = single(value);
    return amount ? { faded: shareIn(amount) < FAINT } : {};
  },
  filter: (value) => ({
    filtered: functionsIn(value).some(({ name, args }) => name === "opacity" && isBelow(args, FAINT)),
  }),
  "font-size": sizeOf,
  font: (value) => {
    const end = value.findIndex(([, raw]) => raw === "/");
    const before = end < 0 ? value : value.slice(0, end);
    // A weight is a plain number, too, but never 0.
    const size = before.find((token) => {
      const amount = amountOf(token);
      return amount && (amount.unit !== "" || amount.value === 0);
    });
    const lines = end < 0 ? { flatLines: false } : linesOf(value.slice(end + 1, end + 2));
    return { ...(size ? sizeOf([size]) : { tiny: false }), ...lines };
  },
  "line-height": linesOf,
  zoom: (value) => {
    const factor = single(value);
    // Browsers ignore a zoom of 0.
    return { zoomedOut: factor !== null && factor.value > 0 && shareIn(factor) < MINUTE };
  },
  color: (value) => colorOf(value, "colorless"),
  "-webkit-text-fill-color": (value) => colorOf(value, "unfilled"),
  "-webkit-text-stroke": (value) => ({ stroked: isSome(value) }),
  "-webkit-text-stroke-width": (value) => ({ stroked: isSome(value) }),
  "text-shadow": (value) => ({ shadowed: keyword(value) !== "none" }),
  "background-clip": (value) => ({ filled: keyword(value) === "text" }),
  "-webkit-background-clip": (value) => ({ filled: keyword(value) === "text" }),
  "text-indent": (value) => {
    const [indent] = amountsIn(value);
    const isOut = indent?.unit === "%" && indent.value >= 100;
    return { indent: indent ? pixelsOf(indent) : 0, indentedOut: isOut };
  },
  position: (value) => {
    const word = keyword(value) ?? "";
    const detached = /^(?:absolute|fixed)$/.test(word);
    return { positioned: detached || /^(?:relative|sticky)$/.test(word), detached };
  },
  ...offsets(""),
  inset: (value) => sidesOf(value, offsetNames),
  "inset-inline-start": (value) => lengthOf(value, "left"),
  ...offsets("margin"),
  ...offsets("padding"),
  transform: (value) => {
    const functions = functionsIn(value);
    const moves = functions.map(moveOf);
    return {
      shrunk: functions.some(isShrinking),
      movedX: moves.reduce((sum, [x]) => sum + x, 0),
      movedY: moves.reduce((sum, [, y]) => sum + y, 0),
    };
  },
  translate: (value) => {
    const [x = 0, y = 0] = partsOf(value).map(pixels);
    return { translatedX: x, translatedY: y };
  },
  scale: (value) => ({ scaledDown: isBelow(value, MINUTE) }),
  clip: (value) => {
    const [rect] = functionsIn(value);
    if (rect?.name !== "rect") return { clippedAway: false };
    const [top = 0, right = 0, bottom = 0, left = 0] = amountsIn(rect.args).map(pixelsOf);
    return { clippedAway: amountsIn(rect.args).length === 4 && (bottom <= top || right <= left) };
  },
  "clip-path": (value) => ({ cutOut: functionsIn(value).some(isEmptyShape) }),
  "-webkit-clip-path": (value) => ({ cutOut: functionsIn(value).some(isEmptyShape) }),
  overflow: (value) => ({ clipsX: clips(value), clipsY: clips(value.slice(-1)) }),
  "overflow-x": (value) => ({ clipsX: clips(value) }),
  "overflow-y": (value) => ({ clipsY: clips(value) }),
  width: (value) => ({ noWidth: isAtMost(value, 0), narrow: isAtMost(value, 1) }),
  height: (value) => ({ noHeight: isAtMost(value, 0), low: isAtMost(value, 1), tall: isSize(value) }),
  "max-width": (value) => ({ noMaxWidth: isAtMost(value, 0) }),
  "max-height": (value) => ({ noMaxHeight: isAtMost(value, 0) }),
  "min-width": (value) => ({ widened: isSize(value) }),
  // A share of the parent's height, which usually has none of its own, is nothing.
  "min-height": (value) => ({ heightened: isSize(value) && single(value)?.unit !== "%" }),
};

/** Sizes relative to the parent's can't make text visible that is hidden by the parent's. */
function sizeOf(value: Value): Effects {
  const word = keyword(value);
  if (word !== null) {
    if (sizes.test(word)) return { tiny: false };
    return /^(?:smaller|larger|inherit|unset)$/.test(word) ? { tiny: undefined } : {};
  }
  const size = single(value);
  if (size?.value === 0) return { tiny: true };
  if (!size || size.value < 0 || size.unit === "") return {};
  const height = size.unit === "%" ? shareIn(size) * 16 : pixelsOf(size);
  if (height < 1) return { tiny: true };
  return { tiny: /^(?:%|em|ex|ch|ic|cap|lh)$/.test(size.unit) ? undefined : false };
}

function colorOf(value: Value, effect: string): Effects {
  const word = keyword(value);
  if (word === "transparent") return { [effect]: true };
  if (word !== null) return { [effect]: /^(?:inherit|unset|currentcolor)$/.test(word) ? undefined : false };
  const hex = /^#(?:[\da-f]{3}([\da-f])|[\da-f]{6}([\da-f]{2}))$/i.exec(value[0]?.[1] ?? "");
  if (hex) {
    const alpha = hex[1] ? hex[1] + hex[1] : (hex[2] ?? "");
    return { [effect]: Number.parseInt(alpha, 16) / 255 < FAINT };
  }
  const [color] = functionsIn(value);
  const parts = amountsIn(color?.args ?? []);
  return value.length > 0 ? { [effect]: parts[3] !== undefined && shareIn(parts[3]) < FAINT } : {};
}

function isEmptyShape({ name, args }: { name: string; args: Value }): boolean {
  const amounts = amountsIn(args);
  if (name === "circle" || name === "ellipse") return amountOf(args[0])?.value === 0;
  if (name === "polygon") return amounts.length > 0 && isZero(amounts);
  if (name !== "inset") return false;
  const end = args.findIndex(([, raw]) => raw.toLowerCase() === "round");
  const [top, right = top, bottom = top, left = right] = amountsIn(end < 0 ? args : args.slice(0, end));
  const sum = (one: typeof top, other: typeof top) =>
    one?.unit === "%" && other?.unit === "%" ? one.value + other.value : shareOf(one) + shareOf(other);
  return sum(top, bottom) >= 100 || sum(left, right) >= 100;
}

/** In percent; lengths don't count. */
function shareOf(amount: ReturnType<typeof amountOf> | undefined): number {
  return amount?.unit === "%" ? amount.value : 0;
}

/** The properties of an offset, a margin or a padding: by side, and the shorthand. */
function offsets(kind: "" | "margin" | "padding"): Record<string, Reader> {
  const readers: Record<string, Reader> = {};
  const names = offsetNames.map((side) => (kind === "" ? side : `${kind}-${side}`));
  for (const name of names) readers[name] = (value) => lengthOf(value, name);
  if (kind !== "") readers[kind] = (value) => sidesOf(value, names);
  return readers;
}

function lengthOf(value: Value, name: string): Effects {
  const word = keyword(value);
  if (word !== null && !/^(?:auto|initial|inherit|unset|revert|revert-layer)$/.test(word)) return {};
  const [part] = partsOf(value);
  return { [name]: part ? pixelsOf(part) : undefined };
}

function sidesOf(value: Value, names: readonly string[]): Effects {
  const parts = partsOf(value);
  const [top, right = top, bottom = top, left = right] = parts;
  const sides = [top, right, bottom, left];
  return Object.fromEntries(
    names.map((name, at) => {
      const side = sides[at];
      return [name, side ? pixelsOf(side) : undefined];
    }),
  );
}

type Call = ReturnType<typeof functionsIn>[number];

/** How far a transformation moves something to the right and down. */
function moveOf({ name, args }: Call): [number, number] {
  const [one = 0, two = 0, ...more] = partsOf(args).map(pixels);
  if (name === "translatex") return [one, 0];
  if (name === "translatey") return [0, one];
  if (name === "translate" || name === "translate3d") return [one, two];
  if (name === "matrix") return [more[2] ?? 0, more[3] ?? 0];
  return [0, 0];
}

function isShrinking({ name, args }: Call): boolean {
  if (/^scale(?:x|y|3d)?$/.test(name)) return isBelow(args, MINUTE);
  if (name !== "matrix") return false;
  const [a = 1, b = 0, c = 0, d = 1] = partsOf(args).map(pixels);
  return a * d === b * c || Math.hypot(a, b) < MINUTE || Math.hypot(c, d) < MINUTE;
}

function pixels(amount: Amount | null): number {
  return amount ? pixelsOf(amount) : 0;
}

function shareIn({ value, unit }: Amount): number {
  return unit === "%" ? value / 100 : value;
}

/** Whether a factor is small; a third one is for the depth, which hides nothing. */
function isBelow(value: Value, least: number): boolean {
  return partsOf(value)
    .slice(0, 2)
    .some((factor) => factor !== null && Math.abs(shareIn(factor)) < least);
}

function linesOf(value: Value): Effects {
  const height = single(value);
  if (height === null) {
    const word = keyword(value) ?? "";
    if (/^(?:normal|initial)$/.test(word)) return { flatLines: false };
    return /^(?:inherit|unset)$/.test(word) ? { flatLines: undefined } : {};
  }
  if (height.unit === "") return { flatLines: height.value * 16 < 1 };
  return { flatLines: (height.unit === "%" ? shareIn(height) * 16 : pixelsOf(height)) < 1 };
}

function isZero(amounts: { value: number }[]): boolean {
  return amounts.every(({ value }) => value === 0);
}

function clips(value: Value): boolean {
  return value.length > 0 && /^(?:hidden|clip)$/i.test(value[0]?.[1] ?? "");
}

function isAtMost(value: Value, most: number): boolean {
  const size = single(value);
  return size !== null && size.unit !== "%" ? pixelsOf(size) <= most : size?.value === 0;
}

/** Whether a size leaves room for text. */
function isSize(value: Value): boolean {
  const word = keyword(value);
  if (word !== null) return /^(?:min-content|max-content|fit-content)$/.test(word);
  return single(value) !== null && !isAtMost(value, 1);
}

function isSome(value: Value): boolean {
  return !isZero(amountsIn(value));
}
