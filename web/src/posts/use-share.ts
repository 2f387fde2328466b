import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { useBaseUrl } from "../ui/use-base-url.ts";

interface SharedPost {
  id: number;
  title: string | null;
}

/** Functions to share or copy a post's link. */
export function useShare({ id, title }: SharedPost): { share(): Promise<void>; copy(): Promise<void> } {
  const baseUrl = useBaseUrl();
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
