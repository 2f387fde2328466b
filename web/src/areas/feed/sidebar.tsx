import { useEffect, useState } from "react";
import type { FeedFilters } from "../../data/posts.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

const SidebarContent = lazyComponent(() => import("./sidebar-content.tsx"));
const NewPostsButton = lazyComponent(() => import("./new-posts-button.tsx"));

/** Must match `--breakpoint-wide` in styles.css. */
const WIDE_QUERY = "(min-width: 80rem)";

/** The column next to the feed. Phones neither render nor load it. Its space is reserved from the start. */
export function Sidebar({ filters }: { filters: FeedFilters }) {
  const isWide = useIsWide();
  return <div className="hidden wide:block">{isWide && <SidebarContent filters={filters} />}</div>;
}

/** The place of the new-posts button, which loads after hydration. */
export function NewPostsNotice({ filters }: { filters: FeedFilters }) {
  const isHydrated = useHydrated();
  return (
    <div role="status" className="pointer-events-none sticky top-16 z-20 flex h-0 justify-center rail:top-4">
      {isHydrated && <NewPostsButton filters={filters} />}
    </div>
  );
}

function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const query = matchMedia(WIDE_QUERY);
    const update = () => setIsWide(query.matches);
    update();
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return isWide;
}
