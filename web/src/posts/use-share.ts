import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { useApp } from "../shared/context.ts";

interface Shared {
  id: number;
  title: string | null;
}

/** How a post's link leaves the page: as the device shares things, or by the clipboard. */
export function useShare({ id, title }: Shared): { share(): Promise<void>; copy(): Promise<void> } {
  const { baseUrl } = useApp();
  const pressed = useLoadOnDemand();
  const { t } = useText();
  const way = { link: baseUrl + postAddress(id), title };
  const words = { t, ...useToasts() };
  const leave = async (by: "share" | "copy") => {
    const how = await pressed(() => import("./share-link.ts")).catch(() => null);
    await (how ? how[by](way, words) : words.showError(t("error.unreachable")));
  };
  return { share: () => leave("share"), copy: () => leave("copy") };
}
