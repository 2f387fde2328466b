import type { ComponentProps, ReactNode } from "react";
import { Link } from "./link.tsx";

/** Links between the views of one page, in one row. */
export function TabLinks({
  label,
  className = "",
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <nav aria-label={label} className={`flex gap-1 overflow-x-auto px-4 sm:px-0 ${className}`}>
      {children}
    </nav>
  );
}

export function TabLink(link: Omit<ComponentProps<typeof Link>, "className">) {
  return (
    <Link
      className="inline-flex min-h-10 items-center rounded-full px-3 font-semibold whitespace-nowrap text-soft hover:bg-sunken aria-[current=page]:bg-ink aria-[current=page]:text-ground sm:px-4"
      {...link}
    />
  );
}
