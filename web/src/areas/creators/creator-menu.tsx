import { Ban, Check, Flag, UserMinus, VolumeX } from "lucide-react";
import type { ReactElement } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { creatorAddress, verifyAddress } from "../../shared/addresses.ts";
import { useApp } from "../../shared/context.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";

/** The dialogs that the menu opens. */
export type CreatorDialog = "block" | "mute" | "unfriend" | "report";

/** An account's menu of less frequent actions. */
export default function CreatorMenu({
  button,
  defaultOpen,
  username,
  friends,
  muted,
  onOpenDialog,
}: {
  button: ReactElement;
  /** Whether it was clicked before it was loaded. */
  defaultOpen: boolean;
  username: string;
  friends: boolean;
  muted: boolean;
  onOpenDialog(question: CreatorDialog): void;
}) {
  const { t } = useText();
  const { baseUrl } = useApp();
  const navigate = useNavigate();
  const url = `${baseUrl}${creatorAddress({ platform: "native", author: username })}`;
  return (
    <Menu button={button} defaultOpen={defaultOpen}>
      {friends && (
        <MenuItem
          icon={<UserMinus className="size-4" aria-hidden="true" />}
          onSelect={() => onOpenDialog("unfriend")}
        >
          {t("creators.unfriend")}
        </MenuItem>
      )}
      <MenuItem
        icon={<Check className="size-4" aria-hidden="true" />}
        onSelect={() => void navigate({ to: verifyAddress, search: { url } })}
      >
        {t("creators.receipt")}
      </MenuItem>
      <MenuItem icon={<Flag className="size-4" aria-hidden="true" />} onSelect={() => onOpenDialog("report")}>
        {t("creators.report")}
      </MenuItem>
      {!muted && (
        <MenuItem
          icon={<VolumeX className="size-4" aria-hidden="true" />}
          onSelect={() => onOpenDialog("mute")}
        >
          {t("card.mute", { name: username })}
        </MenuItem>
      )}
      <MenuItem
        danger
        icon={<Ban className="size-4" aria-hidden="true" />}
        onSelect={() => onOpenDialog("block")}
      >
        {t("card.block", { name: username })}
      </MenuItem>
    </Menu>
  );
}
