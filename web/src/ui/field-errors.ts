import type { Translate } from "../i18n/use-text.tsx";

/** What is wrong with a form's fields, in words, by their names. */
export type Faults = Readonly<Record<string, string>>;

type Judged = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isJudged = (element: Element): element is Judged =>
  "validity" in element && element.matches(":invalid");

/** What a browser finds wrong with a form by the rules of its fields: told in the reader's language, not in the browser's. */
export function faultsIn(form: HTMLFormElement, t: Translate): Faults {
  const wrong = [...form.elements].filter(isJudged);
  return Object.fromEntries(wrong.map((field) => [field.name, wordsOf(field, t)]));
}

/** A field's title says what its pattern is. */
function wordsOf(field: Judged, t: Translate): string {
  const { validity, type, title } = field;
  if (validity.valueMissing) return t("fault.missing");
  if (validity.tooShort && "minLength" in field) return t("fault.tooShort", { min: field.minLength });
  if (validity.typeMismatch && type === "email") return t("fault.email");
  if (validity.typeMismatch && type === "url") return t("fault.url");
  return title || t("fault.other");
}
