import {
  amountOf,
  amountsIn,
  declarationsOf,
  functionsIn,
  keyword,
  pixelsOf,
  single,
  type Value,
} from "./style.ts";

/** What a style does that can hide text. Undefined if it doesn't say, or leaves it as it is outside the element. */
export type Effects = Partial<Record<string, boolean | undefined>>;

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
  return { ...effects, transparent: transparent && isDecorated ? false : transparent };
}

type Reader = (value: Value) => Effects;

/** A length that moves something out of any window. */
const AWAY = -999;

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
    return amount ? { faded: amount.value <= 0 } : {};
  },
  filter: (value) => ({
    filtered: functionsIn(value).some(({ name, args }) => name === "opacity" && isNothing(args)),
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
    return size ? sizeOf([size]) : { tiny: false };
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
    return { indentedAway: indent ? pixelsOf(indent) <= AWAY : false, indentedOut: isOut };
  },
  position: (value) => {
    const word = keyword(value) ?? "";
    const detached = /^(?:absolute|fixed)$/.test(word);
    return { positioned: detached || /^(?:relative|sticky)$/.test(word), detached };
  },
  left: (value) => ({ leftAway: isAway(value) }),
  right: (value) => ({ rightAway: isAway(value) }),
  top: (value) => ({ topAway: isAway(value) }),
  bottom: (value) => ({ bottomAway: isAway(value) }),
  inset: (value) => ({ leftAway: isAway(value) }),
  "inset-inline-start": (value) => ({ leftAway: isAway(value) }),
  margin: (value) => ({ pulledLeft: isAway(value), pulledUp: isAway(value) }),
  "margin-left": (value) => ({ pulledLeft: isAway(value) }),
  "margin-top": (value) => ({ pulledUp: isAway(value) }),
  transform: (value) => ({
    shrunk: functionsIn(value).some(
      ({ name, args }) =>
        (/^scale(?:x|y|3d)?$/.test(name) && isNothing(args)) || (/^translate/.test(name) && isAway(args)),
    ),
  }),
  scale: (value) => ({ shrunk: isNothing(value) }),
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
  height: (value) => ({ noHeight: isAtMost(value, 0), low: isAtMost(value, 1) }),
  "max-width": (value) => ({ noMaxWidth: isAtMost(value, 0) }),
  "max-height": (value) => ({ noMaxHeight: isAtMost(value, 0) }),
  padding: (value) => ({ padded: isSome(value) }),
  "padding-top": (value) => (isSome(value) ? { padded: true } : {}),
  "padding-bottom": (value) => (isSome(value) ? { padded: true } : {}),
  "padding-left": (value) => (isSome(value) ? { padded: true } : {}),
  "padding-right": (value) => (isSome(value) ? { padded: true } : {}),
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
  return { tiny: /^(?:%|em|ex|ch|ic|cap|lh)$/.test(size.unit) ? undefined : false };
}

function colorOf(value: Value, effect: string): Effects {
  const word = keyword(value);
  if (word === "transparent") return { [effect]: true };
  if (word !== null) return { [effect]: /^(?:inherit|unset|currentcolor)$/.test(word) ? undefined : false };
  const hex = /^#(?:[\da-f]{3}([\da-f])|[\da-f]{6}([\da-f]{2}))$/i.exec(value[0]?.[1] ?? "");
  if (hex) return { [effect]: Number.parseInt(hex[1] ?? hex[2] ?? "1", 16) === 0 };
  const [color] = functionsIn(value);
  const parts = amountsIn(color?.args ?? []);
  return value.length > 0 ? { [effect]: parts.length === 4 && (parts[3]?.value ?? 1) <= 0 } : {};
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

/** Whether a factor is 0; a third one is for the depth, which hides nothing. */
function isNothing(value: Value): boolean {
  return amountsIn(value)
    .slice(0, 2)
    .some(({ value }) => value === 0);
}

function isZero(amounts: { value: number }[]): boolean {
  return amounts.every(({ value }) => value === 0);
}

function isAway(value: Value): boolean {
  return amountsIn(value).some((amount) => pixelsOf(amount) <= AWAY);
}

function clips(value: Value): boolean {
  return value.length > 0 && /^(?:hidden|clip)$/i.test(value[0]?.[1] ?? "");
}

function isAtMost(value: Value, most: number): boolean {
  const size = single(value);
  return size !== null && size.unit !== "%" ? pixelsOf(size) <= most : size?.value === 0;
}

function isSome(value: Value): boolean {
  return !isZero(amountsIn(value));
}
