import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { Link } from "./link.tsx";

/** Links between the views of one page, in one row. If they don't fit, the row scrolls, and begins where the current one is visible. */
export function TabLinks({
  label,
  wraps = false,
  className = "",
  children,
}: {
  label: string;
  /** Whether there are so many that they fill several rows, except on phones. */
  wraps?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current="page"]');
    if (row.current && current) row.current.scrollBy(centerOf(current) - centerOf(row.current), 0);
  }, []);
  return (
    <nav aria-label={label} className={className}>
      {/* The padding leaves room for focus rings. */}
      <div
        ref={row}
        className={`fading-row -my-1 flex gap-0.5 overflow-x-auto px-4 py-1 sm:-mx-1 sm:px-1 ${wraps ? "sm:flex-wrap" : "sm:gap-1"}`}
      >
        {children}
      </div>
    </nav>
  );
}

function centerOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
}

export function TabLink({
  size = "medium",
  ...link
}: Omit<ComponentProps<typeof Link>, "className"> & { size?: "small" | "medium" }) {
  return (
    <Link
      className={`inline-flex items-center rounded-full font-semibold whitespace-nowrap text-soft hover:bg-sunken aria-[current=page]:bg-ink aria-[current=page]:text-ground ${size === "small" ? "min-h-9 px-3 text-sm rail:px-2" : "min-h-10 px-3 sm:px-4"}`}
      {...link}
    />
  );
}
