const CARD_SELECTOR = "[data-post]";

/** All post cards, from the top. */
const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(CARD_SELECTOR)];

export const cardOf = (id: number): HTMLElement | null => document.querySelector(`[data-post="${id}"]`);

/** The card that has focus, or contains it. */
function focusedCard(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(CARD_SELECTOR) ?? null;
}

/** Moves focus to the next or previous card. Without a focused card, to the first one in view. */
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

/** Milliseconds after which a card, and the menu or dialog that was open over it, are gone. */
const REMOVAL = 1_000;

/**
 * Call before a card is removed: moves focus to the next card, or to the previous one. It waits until the focus is nowhere, because
 * a menu or dialog returns it to its button, which goes with the card.
 */
export function focusNeighbor(card: HTMLElement | null): void {
  const all = cards();
  const current = card ? all.indexOf(card) : -1;
  const neighbor = all[current + 1] ?? all[current - 1];
  const end = performance.now() + REMOVAL;
  const check = () => {
    const { activeElement, body } = document;
    // `useAction` moves a lost focus to the main content.
    const isLost = activeElement === body || activeElement?.id === "main";
    if (!card?.isConnected && isLost) neighbor?.focus({ preventScroll: true });
    else if (performance.now() < end) requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}

/** Clicks an action of the focused card. */
export function clickCardAction(name: string): void {
  focusedCard()?.querySelector<HTMLElement>(`[data-act="${name}"]`)?.click();
}
