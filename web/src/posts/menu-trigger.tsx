import { Ellipsis } from "lucide-react";
import type { ComponentProps } from "react";
import { useText } from "../i18n/use-text.tsx";
import { IconButton, Spinner } from "../ui/button.tsx";

/** The button that opens a post's menu. */
export function MenuTrigger({
  busy = false,
  ...rest
}: Omit<ComponentProps<"button">, "children"> & { busy?: boolean }) {
  const { t } = useText();
  return (
    <IconButton label={t("card.menu")} className="-me-2 -mt-1 shrink-0" {...rest}>
      {busy ? <Spinner /> : <Ellipsis className="size-5" aria-hidden="true" />}
    </IconButton>
  );
}
