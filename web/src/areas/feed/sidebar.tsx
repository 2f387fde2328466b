import type { FeedFilters } from "../../data/posts.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

export const Sidebar = lazyComponent(() => import("./sidebar-content.tsx"));
const NewPostsButton = lazyComponent(() => import("./new-posts-button.tsx"));

/** The place of the new-posts button, which loads after hydration. */
export function NewPostsNotice({ filters }: { filters: FeedFilters }) {
  const isHydrated = useHydrated();
  return (
    <div role="status" className="pointer-events-none sticky top-16 z-20 flex h-0 justify-center rail:top-4">
      {isHydrated && <NewPostsButton filters={filters} />}
    </div>
  );
}
