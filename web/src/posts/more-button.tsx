import type { Post } from "@tandem/contract/resources";
import { type ComponentType, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { useToasts } from "../ui/toast.tsx";
import { Dots } from "./dots.tsx";

type Menu = ComponentType<{ post: Post }>;

/** What else one can do with a post. The menu is loaded by the press that asks for it, or by the pointer on its way. */
export function MoreButton({ post }: { post: Post }) {
  const [Loaded, setLoaded] = useState<{ menu: Menu } | "coming" | null>(null);
  const { t } = useText();
  const { fail } = useToasts();
  const load = () => import("./post-menu.tsx");
  const open = () => {
    setLoaded("coming");
    load().then(
      (module) => setLoaded({ menu: module.default }),
      () => {
        setLoaded(null);
        fail(t("error.unreachable"));
      },
    );
  };
  if (Loaded && Loaded !== "coming") return <Loaded.menu post={post} />;
  return (
    <Dots
      onPointerEnter={() => void load().catch(() => {})}
      onClick={open}
      busy={Loaded === "coming"}
      aria-haspopup="menu"
    />
  );
}
