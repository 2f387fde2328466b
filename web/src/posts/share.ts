import { postAddress } from "../addresses.ts";
import { useApp } from "../data/context.ts";
import { useText } from "../i18n/use-text.tsx";
import { useToasts } from "../ui/toast.tsx";

interface Shared {
  id: number;
  title: string | null;
}

/** How a post's link leaves: by the device's own way to share, where it has one, else by the clipboard. */
export function useShare({ id, title }: Shared): { share(): void; copy(): void } {
  const { baseUrl } = useApp();
  const { t } = useText();
  const { tell, fail } = useToasts();
  const link = baseUrl + postAddress(id);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      tell(t("card.copied"));
    } catch {
      fail(t("card.copyFailed", { link }));
    }
  };
  const share = async () => {
    if (!("share" in navigator)) return copy();
    // Whoever changes their mind has shared nothing, and needn't be told.
    await navigator.share({ url: link, ...(title && { title }) }).catch(() => {});
  };
  return { share: () => void share(), copy: () => void copy() };
}
