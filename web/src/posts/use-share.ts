import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { useApp } from "../shared/context.ts";

interface SharedPost {
  id: number;
  title: string | null;
}

/** How a post's link leaves the page: as the device shares things, or by the clipboard. */
export function useShare({ id, title }: SharedPost): { share(): Promise<void>; copy(): Promise<void> } {
  const { baseUrl } = useApp();
  const loadOnDemand = useLoadOnDemand();
  const { t } = useText();
  const target = { link: baseUrl + postAddress(id), title };
  const feedback = { t, ...useToasts() };
  const run = async (action: "shareLink" | "copyLink") => {
    const actions = await loadOnDemand(() => import("./share-link.ts")).catch(() => null);
    await (actions ? actions[action](target, feedback) : feedback.showError(t("error.unreachable")));
  };
  return { share: () => run("shareLink"), copy: () => run("copyLink") };
}
