import type { ProfilePicture } from "@tandem/contract/moderation-names";
import type { Creator } from "@tandem/contract/resources";
import { Ban, Check, Flag, ImageOff, ListPlus, ShieldUser, UserMinus, VolumeX } from "lucide-react";

import type { ReactElement } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { creatorAddress, verifyAddress } from "../../shared/addresses.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";

/** The dialogs that the menu opens. */
export type CreatorDialog = "block" | "list" | "mute" | "unfriend" | "report" | ProfilePicture;

/** An account's menu of less frequent actions. */
export default function CreatorMenu({
  button,
  defaultOpen,
  creator,
  friends,
  onOpenDialog,
}: {
  button: ReactElement;
  /** Whether it was clicked before it was loaded. */
  defaultOpen: boolean;
  creator: Creator;
  friends: boolean;
  onOpenDialog(question: CreatorDialog): void;
}) {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  const me = useMe();
  const { author: username, muted } = creator;
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
        icon={<ListPlus className="size-4" aria-hidden="true" />}
        onSelect={() => onOpenDialog("list")}
      >
        {t("creators.addToList")}
      </MenuItem>
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
          {t("card.mute", { name: `@${username}` })}
        </MenuItem>
      )}
      <MenuItem
        danger
        icon={<Ban className="size-4" aria-hidden="true" />}
        onSelect={() => onOpenDialog("block")}
      >
        {t("card.block", { name: username })}
      </MenuItem>
      {me?.role === "admin" && <ModerationItems creator={creator} onOpenDialog={onOpenDialog} />}
    </Menu>
  );
}

/** What admins can do. */
function ModerationItems({
  creator: { author, avatarUrl, bannerUrl },
  onOpenDialog,
}: {
  creator: Creator;
  onOpenDialog(question: CreatorDialog): void;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const icon = <ImageOff className="size-4" aria-hidden="true" />;
  return (
    <>
      <MenuItem
        icon={<ShieldUser className="size-4" aria-hidden="true" />}
        onSelect={() => void navigate({ to: "/admin/users", search: { q: author } })}
      >
        {t("creators.manageAccount")}
      </MenuItem>
      {avatarUrl !== null && (
        <MenuItem danger icon={icon} onSelect={() => onOpenDialog("avatar")}>
          {t("creators.removeAvatar")}
        </MenuItem>
      )}
      {bannerUrl !== null && (
        <MenuItem danger icon={icon} onSelect={() => onOpenDialog("banner")}>
          {t("creators.removeBanner")}
        </MenuItem>
      )}
    </>
  );
}
