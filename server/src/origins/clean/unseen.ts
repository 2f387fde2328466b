import type { DomNode } from "html-to-text";
import { type Effects, effectsOf } from "./effects.ts";

/** The deepest element that is read. The conversion to text ends there, too. */
const MAX_DEPTH = 100;

/** What descendants inherit and can undo, so that a hidden element can have visible ones. */
const inherited = ["invisible", "tiny", "transparent", "flattened"] as const;
type Inherited = (typeof inherited)[number];

/**
 * Removes from an element what a browser wouldn't show because of `style` and `hidden` attributes, and these attributes.
 * False if nothing is left to show.
 */
export function uncover(element: DomNode): boolean {
  return keepShown(element, new Set(), 0);
}

function keepShown(element: DomNode, outside: ReadonlySet<Inherited>, depth: number): boolean {
  const attributes: Record<string, string> = element.attribs ?? {};
  const effects = effectsOf(attributes.style ?? "");
  if (effects.absent ?? attributes.hidden !== undefined) return false;
  if (hides(effects)) return false;
  delete attributes.style;
  delete attributes.hidden;
  const reasons = new Set(outside);
  for (const reason of inherited) {
    if (effects[reason] === true) reasons.add(reason);
    if (effects[reason] === false) reasons.delete(reason);
  }
  const isBlank = reasons.size > 0;
  element.children = element.children.filter((child) =>
    child.type === "tag" ? depth < MAX_DEPTH && keepShown(child, reasons, depth + 1) : !isBlank,
  );
  return !isBlank || element.children.length > 0;
}

/** A distance to the left or up that moves something out of the window. */
const AWAY = -999;
/** A distance to the right that does, such as twice the width of a window of 1000 pixels. */
const FAR = 2000;

/** Whether a style hides the whole element, whatever its descendants say. */
function hides(style: Effects): boolean {
  return Boolean(
    style.faded ||
      style.filtered ||
      style.cutOut ||
      style.shrunk ||
      style.scaledDown ||
      style.zoomedOut ||
      style.skipped ||
      isElsewhere(style) ||
      (style.detached && style.clippedAway) ||
      isCollapsed(style) ||
      ((style.clipsX || style.clipsY) && style.indentedOut),
  );
}

/** Whether the text is outside of the window. Padding can bring it back. */
function isElsewhere(style: Effects): boolean {
  const sum = (...names: string[]) => names.reduce((total, name) => total + Number(style[name] ?? 0), 0);
  const offset = (...names: string[]) => (style.positioned ? sum(...names) : 0);
  const x = sum("margin-left", "padding-left", "indent", "movedX", "translatedX") + offset("left");
  const y = sum("margin-top", "padding-top", "movedY", "translatedY") + offset("top");
  if (x <= AWAY || x >= FAR || y <= AWAY) return true;
  // Left and top win over right and bottom.
  const right = style.left === undefined ? offset("right", "padding-right") : 0;
  const bottom = style.top === undefined ? offset("bottom", "padding-bottom") : 0;
  return right <= AWAY || right >= FAR || bottom <= AWAY;
}

/** Whether the text is cut off at a box without room. Padding and minimum sizes make room. */
function isCollapsed(style: Effects): boolean {
  if (!style.clipsX && !style.clipsY) return false;
  const isWide = style.widened || style["padding-left"] || style["padding-right"];
  const isHigh = style.heightened || style["padding-top"] || style["padding-bottom"];
  return Boolean(
    ((style.noWidth || style.noMaxWidth) && !isWide) ||
      ((style.noHeight || style.noMaxHeight) && !isHigh) ||
      (style.narrow && style.low && !isWide && !isHigh),
  );
}
