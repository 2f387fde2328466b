import { useApp } from "../shared/context.ts";
import { addOnDemandTexts } from "./texts.ts";

/** Loads a part of a page that some press asks for, and what it says. Throws where either doesn't come. */
export function useLoadOnDemand(): <Part>(load: () => Promise<Part>) => Promise<Part> {
  const { i18n } = useApp();
  return async (load) => (await Promise.all([load(), addOnDemandTexts(i18n)]))[0];
}
