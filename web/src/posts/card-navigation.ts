const CARD_SELECTOR = "[data-post]";

/** The cards on the page, from the top. */
const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(CARD_SELECTOR)];

export const cardOf = (id: number): HTMLElement | null => document.querySelector(`[data-post="${id}"]`);

/** The card that is at hand: the focused one, else the first that is in view. */
function focusedCard(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(CARD_SELECTOR) ?? null;
}

/** Goes so many cards on from the one at hand, and to the first in view where none is. */
export function moveFocus(steps: 1 | -1): void {
  const all = cards();
  const current = focusedCard();
  const next = current
    ? all[all.indexOf(current) + steps]
    : all.find((card) => card.getBoundingClientRect().bottom > 80);
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

/** Before a card goes: the next one is at hand, or the one before. */
export function focusNeighbor(card: HTMLElement | null): void {
  const all = cards();
  const current = card ? all.indexOf(card) : -1;
  (all[current + 1] ?? all[current - 1])?.focus({ preventScroll: true });
}

/** Presses what a card has for something. */
export function clickCardAction(name: string): void {
  focusedCard()?.querySelector<HTMLElement>(`[data-act="${name}"]`)?.click();
}
