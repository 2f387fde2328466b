import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "./link.tsx";

/** Leads from a page to the one that it belongs to, above its title. */
export function BackLink({
  to,
  hash,
  className = "",
  children,
}: {
  to: string;
  hash?: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Link
      to={to}
      hash={hash}
      className={`mt-3 inline-flex min-h-10 max-w-full items-center gap-1 px-4 text-sm font-semibold text-soft hover:text-ink sm:px-0 ${className}`}
    >
      <ChevronLeft className="size-4 shrink-0 rtl:rotate-180" aria-hidden="true" />
      <span className="theirs-line">{children}</span>
    </Link>
  );
}
