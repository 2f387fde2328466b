import { useApp } from "../shared/context.ts";
import { addPressedTexts } from "./texts.ts";

/** Loads a part of a page that some press asks for, and what it says. Throws where either doesn't come. */
export function usePressed(): <Part>(load: () => Promise<Part>) => Promise<Part> {
  const { i18n } = useApp();
  return async (load) => (await Promise.all([load(), addPressedTexts(i18n)]))[0];
}
