import type { Post } from "@tandem/contract/resources";
import { type ComponentType, useState } from "react";
import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { Dots } from "./menu-trigger.tsx";

interface Props {
  post: Post;
  /** After the post was deleted, or all of its author's were sent away: whoever shows it alone shows something else. */
  onGone?: (() => void) | undefined;
}

type Menu = ComponentType<Props>;

/** What else one can do with a post. The menu is loaded by the press that asks for it, or by the pointer on its way. */
export function MoreButton({ post, onGone }: Props) {
  const [Loaded, setLoaded] = useState<{ menu: Menu } | "coming" | null>(null);
  const { t } = useText();
  const { showError } = useToasts();
  const pressed = useLoadOnDemand();
  const load = () => pressed(() => import("./post-menu.tsx"));
  const open = () => {
    setLoaded("coming");
    load().then(
      (module) => setLoaded({ menu: module.default }),
      () => {
        setLoaded(null);
        showError(t("error.unreachable"));
      },
    );
  };
  if (Loaded && Loaded !== "coming") return <Loaded.menu post={post} onGone={onGone} />;
  return (
    <Dots
      onPointerEnter={() => void load().catch(() => {})}
      onClick={open}
      busy={Loaded === "coming"}
      aria-haspopup="menu"
    />
  );
}
