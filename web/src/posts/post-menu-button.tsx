import type { Post } from "@tandem/contract/resources";
import { type ComponentType, useState } from "react";
import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { MenuTrigger } from "./menu-trigger.tsx";

interface Props {
  post: Post;
  /** After the post was deleted, or all of its author's were sent away: whoever shows it alone shows something else. */
  onRemoved?: (() => void) | undefined;
}

type PostMenu = ComponentType<Props>;

/** What else one can do with a post. The menu is loaded by the press that asks for it, or by the pointer on its way. */
export function PostMenuButton({ post, onRemoved }: Props) {
  const [menu, setMenu] = useState<{ menu: PostMenu } | "coming" | null>(null);
  const { t } = useText();
  const { showError } = useToasts();
  const loadOnDemand = useLoadOnDemand();
  const load = () => loadOnDemand(() => import("./post-menu.tsx"));
  const open = () => {
    setMenu("coming");
    load().then(
      (module) => setMenu({ menu: module.default }),
      () => {
        setMenu(null);
        showError(t("error.unreachable"));
      },
    );
  };
  if (menu && menu !== "coming") return <menu.menu post={post} onRemoved={onRemoved} />;
  return (
    <MenuTrigger
      onPointerEnter={() => void load().catch(() => {})}
      onClick={open}
      busy={menu === "coming"}
      aria-haspopup="menu"
    />
  );
}
