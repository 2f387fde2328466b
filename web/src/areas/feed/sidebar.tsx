import { useEffect, useState } from "react";
import type { FeedFilters } from "../../data/posts.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

const Aside = lazyComponent(() => import("./sidebar-content.tsx"));
const Newer = lazyComponent(() => import("./new-posts-button.tsx"));

/** As the token of this name says. */
const WIDE = "(min-width: 80rem)";

/** The column beside the feed, which phones neither draw nor load. Its place is there from the start. */
export function Beside({ filters }: { filters: FeedFilters }) {
  const wide = useWide();
  return <div className="hidden wide:block">{wide && <Aside filters={filters} />}</div>;
}

/** Where it is told that there is more to read; what looks for that is loaded once the page is alive. */
export function Above({ filters }: { filters: FeedFilters }) {
  const alive = useHydrated();
  return (
    <div role="status" className="pointer-events-none sticky top-16 z-20 flex h-0 justify-center rail:top-4">
      {alive && <Newer filters={filters} />}
    </div>
  );
}

function useWide(): boolean {
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const look = () => setWide(query.matches);
    look();
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return wide;
}
