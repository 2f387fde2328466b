import type { DomNode } from "html-to-text";
import { type Effects, effectsOf } from "./effects.ts";

/** The deepest element that is read. The conversion to text ends there, too. */
const MAX_DEPTH = 100;

/** What descendants inherit and can undo, so that a hidden element can have visible ones. */
const inherited = ["invisible", "tiny", "transparent"] as const;
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

/** Whether a style hides the whole element, whatever its descendants say. */
function hides(style: Effects): boolean {
  const isClipped = style.clipsX || style.clipsY;
  const isFlat = style.noWidth || style.noHeight || style.noMaxWidth || style.noMaxHeight;
  return Boolean(
    style.faded ||
      style.filtered ||
      style.cutOut ||
      style.shrunk ||
      style.indentedAway ||
      style.skipped ||
      style.pulledLeft ||
      style.pulledUp ||
      (style.positioned && (style.leftAway || style.topAway || style.rightAway || style.bottomAway)) ||
      (style.detached && style.clippedAway) ||
      (isClipped && !style.padded && (isFlat || (style.narrow && style.low))) ||
      (isClipped && style.indentedOut),
  );
}
