import type { Translate } from "../i18n/use-text.tsx";

/** Error messages by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

type ValidatedElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isInvalid = (element: Element): element is ValidatedElement =>
  "validity" in element && element.matches(":invalid");

/** The browser's validation errors, in the reader's language instead of the browser's. */
export function validationErrors(form: HTMLFormElement, t: Translate): FieldErrors {
  const invalid = [...form.elements].filter(isInvalid);
  return Object.fromEntries(invalid.map((field) => [field.name, validationMessage(field, t)]));
}

/** A field's `title` describes its pattern. */
function validationMessage(field: ValidatedElement, t: Translate): string {
  const { validity, type, title } = field;
  if (validity.valueMissing) return t("validation.required");
  if (validity.tooShort && "minLength" in field) return t("validation.tooShort", { min: field.minLength });
  if (validity.typeMismatch && type === "email") return t("validation.email");
  if (validity.typeMismatch && type === "url") return t("validation.url");
  return title || t("validation.other");
}
