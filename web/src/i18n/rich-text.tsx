// Unlike `Trans`, it needs no provider, and so less script.
import { TransNoContext } from "@lingui/react/server";
import type { ReactElement } from "react";
import { useApp } from "../shared/context.ts";
import type { TextKey } from "./keys.ts";
import type { Values } from "./use-text.tsx";

/**
 * A text with elements: `<name>…</name>` in the text becomes the element `parts.name` around its contents.
 */
export function RichText({
  text,
  values,
  parts,
}: {
  text: TextKey;
  values?: Values;
  parts: Record<string, ReactElement>;
}) {
  const { i18n } = useApp();
  return <TransNoContext lingui={{ i18n }} id={text} components={parts} {...(values && { values })} />;
}
