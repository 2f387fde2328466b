import { Ban, Flag, UserMinus } from "lucide-react";
import type { ReactElement } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";

/** What is asked about before it is done. */
export type Question = "block" | "unfriend" | "report";

/** What is done about an account more rarely. */
export default function More({
  button,
  wanted,
  username,
  friends,
  onAsk,
}: {
  button: ReactElement;
  /** Whether it was asked for before it came. */
  wanted: boolean;
  username: string;
  friends: boolean;
  onAsk(question: Question): void;
}) {
  const { t } = useText();
  return (
    <Menu button={button} defaultOpen={wanted}>
      {friends && (
        <MenuItem
          icon={<UserMinus className="size-4" aria-hidden="true" />}
          onSelect={() => onAsk("unfriend")}
        >
          {t("creators.unfriend")}
        </MenuItem>
      )}
      <MenuItem icon={<Flag className="size-4" aria-hidden="true" />} onSelect={() => onAsk("report")}>
        {t("creators.report")}
      </MenuItem>
      <MenuItem danger icon={<Ban className="size-4" aria-hidden="true" />} onSelect={() => onAsk("block")}>
        {t("creators.block", { username })}
      </MenuItem>
    </Menu>
  );
}
