import type { Post } from "@tandem/contract/post-resources";
import { type ComponentType, useState } from "react";
import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { MenuTrigger } from "./menu-trigger.tsx";

interface Props {
  post: Post;
  /**
   * Called after the post was deleted or its author blocked. A page that shows only this post should then
   * leave.
   */
  onRemoved?: (() => void) | undefined;
}

type PostMenu = ComponentType<Props>;

/** Opens a post's menu, which is loaded on click, or earlier on hover. */
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
