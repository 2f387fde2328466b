import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "./link.tsx";

/** Must match `--breakpoint-wide` in styles.css. */
const WIDE_QUERY = "(min-width: 80rem)";

/** The columns of a page with an aside: a `column`, and on wide screens the rest next to it. */
export const asideColumns =
  "column grid grid-cols-[minmax(0,1fr)] gap-x-6 wide:max-w-none wide:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]";

/**
 * A page's main column with an `Aside` next to it. Narrow screens neither render nor load the aside. Wide ones reserve its
 * space from the start, so nothing moves when it appears.
 */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  const isWide = useIsWide();
  return (
    <div className={asideColumns}>
      {children}
      <div className="hidden wide:block">{isWide && aside}</div>
    </div>
  );
}

/** What else there is, next to a page's main column. It fades in when all of it is loaded. */
export function Aside({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside
      aria-label={label}
      className="sticky top-0 flex max-h-dvh animate-[appear_0.2s] flex-col gap-7 overflow-y-auto py-6"
    >
      {children}
    </aside>
  );
}

export function AsideSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 px-2 text-sm font-semibold text-soft">{title}</h2>
      {children}
    </section>
  );
}

/** The classes of a link that is a row of an aside. */
export const asideRow = "flex min-h-11 items-center gap-3 rounded-xl px-2 py-1.5 transition hover:bg-sunken";

/** A link to another page, as a row of an aside. */
export function AsideLink({ to, Icon, children }: { to: string; Icon: LucideIcon; children: ReactNode }) {
  return (
    <Link to={to} className={asideRow}>
      <Icon className="size-5 shrink-0 text-soft" aria-hidden="true" />
      <span className="min-w-0 text-sm font-semibold">{children}</span>
    </Link>
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
