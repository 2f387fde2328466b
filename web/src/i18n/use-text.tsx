import { Trans, useLingui } from "@lingui/react";
import type { ReactElement } from "react";
import type { TextKey } from "./keys.ts";

export type Values = Record<string, string | number>;
export type Translate = (key: TextKey, values?: Values) => string;

/** The texts in the reader's language: `t("feed.empty")`. Their values are put in by ICU's rules. */
export function useText(): { t: Translate; locale: string } {
  const { i18n } = useLingui();
  return { t: (key, values) => i18n._(key, values), locale: i18n.locale };
}

/** A text with elements in it: what stands between `<name>` and `</name>` there is put into the element of that name. */
export function Rich({
  text,
  values,
  parts,
}: {
  text: TextKey;
  values?: Values;
  parts: Record<string, ReactElement>;
}) {
  return <Trans id={text} components={parts} {...(values && { values })} />;
}
