import { useText } from "../../i18n/use-text.tsx";
import { useToasts } from "../../ui/toast.tsx";

/** Copies an address, and says so; where a browser doesn't let one, shows it to be copied by hand. */
export function useCopy(): (address: string) => void {
  const { t } = useText();
  const { tell, fail } = useToasts();
  return async (address) => {
    try {
      await navigator.clipboard.writeText(address);
      tell(t("thread.copied"));
    } catch {
      fail(t("thread.notCopied", { address }));
    }
  };
}
