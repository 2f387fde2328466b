import type { Post } from "@tandem/contract/post-resources";
import { ChevronDown, Layers } from "lucide-react";
import { useId, useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Skeleton } from "../ui/states.tsx";

const Story = lazyComponent(() => import("./story.tsx"));

/** How many imported posts share this link; a click lists them. */
export function StoryButton({ post: { id, storyCount } }: { post: Post }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const list = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        onClick={() => setOpen(!open)}
        className="-mx-2 inline-flex min-h-10 items-center gap-2 rounded-full px-2 text-sm font-medium text-soft transition hover:bg-sunken hover:text-ink"
      >
        <Layers className="size-4" aria-hidden="true" />
        {t("card.story", { count: storyCount })}
        <ChevronDown className={`size-4 transition ${open ? "rotate-180" : ""}`} aria-hidden="true" />
      </button>
      {open && (
        <div id={list}>
          <Story id={id} fallback={<Skeleton className="h-24" />} onClose={() => setOpen(false)} />
        </div>
      )}
    </div>
  );
}
