import { useApp } from "../shared/context.ts";
import { addOnDemandTexts } from "./texts.ts";

/** Loads a component or module on demand, together with its texts. Throws if either fails to load. */
export function useLoadOnDemand(): <Part>(load: () => Promise<Part>) => Promise<Part> {
  const { i18n } = useApp();
  return async (load) => (await Promise.all([load(), addOnDemandTexts(i18n)]))[0];
}
