import type { Page } from "playwright-core";

/**
 * Buttons of the main content that a screen reader's list of buttons can't tell apart: another one has the same name, in the same
 * form or named part of the page, such as a post or a section. A button in a field, such as "Show password", is clear from its place.
 */
export function repeatedNames(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parts = "form, :is(article, section, fieldset, dialog):is([aria-label], [aria-labelledby]), main";
    const nameOf = (button: Element) => {
      const ids = button.getAttribute("aria-labelledby")?.split(" ") ?? [];
      const texts = ids.map((id) => document.getElementById(id)?.textContent);
      return button.getAttribute("aria-label") ?? (texts.join(" ") || button.textContent);
    };
    const seen = new Map<Element | null, Set<string>>();
    const repeated = new Set<string>();
    for (const button of document.querySelectorAll("main :is(button, input[type=file])")) {
      const isOfField = button.parentElement?.querySelector(":scope > div > input") != null;
      if (!button.checkVisibility() || button.closest("[aria-hidden=true]") || isOfField) continue;
      const part = button.closest(parts);
      const names = seen.get(part) ?? new Set();
      seen.set(part, names);
      const name = nameOf(button);
      if (names.has(name)) repeated.add(`several buttons are called "${name}"`);
      names.add(name);
    }
    return [...repeated];
  });
}
