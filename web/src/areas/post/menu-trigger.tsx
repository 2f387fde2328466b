import { Ellipsis } from "lucide-react";
import type { ComponentProps } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";

/** The button that opens a comment's menu. */
export function CommentMenuTrigger({ name, ...rest }: ComponentProps<"button"> & { name: string }) {
  const { t } = useText();
  return (
    <IconButton label={t("thread.more", { name })} className="sm:size-8" {...rest}>
      <Ellipsis className="size-4" aria-hidden="true" />
    </IconButton>
  );
}
