const CARD = "[data-post]";

/** The cards on the page, from the top. */
const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(CARD)];

export const cardOf = (id: number): HTMLElement | null => document.querySelector(`[data-post="${id}"]`);

/** The card that is at hand: the focused one, else the first that is in view. */
function cardAtHand(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(CARD) ?? null;
}

/** Goes so many cards on from the one at hand, and to the first in view where none is. */
export function walk(steps: 1 | -1): void {
  const all = cards();
  const at = cardAtHand();
  const next = at
    ? all[all.indexOf(at) + steps]
    : all.find((card) => card.getBoundingClientRect().bottom > 80);
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

/** Before a card goes: the next one is at hand, or the one before. */
export function focusNear(card: HTMLElement | null): void {
  const all = cards();
  const at = card ? all.indexOf(card) : -1;
  (all[at + 1] ?? all[at - 1])?.focus({ preventScroll: true });
}

/** Presses what a card has for something. */
export function act(name: string): void {
  cardAtHand()?.querySelector<HTMLElement>(`[data-act="${name}"]`)?.click();
}
