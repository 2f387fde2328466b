import { ChevronRight } from "lucide-react";
import type { ComponentType } from "react";
import type { TextKey } from "../i18n/keys.ts";
import { useText } from "../i18n/use-text.tsx";
import { Link } from "./link.tsx";

export interface MenuLink {
  to: string;
  search?: Record<string, string>;
  label: TextKey;
  icon: ComponentType<{ className?: string; "aria-hidden"?: "true" }>;
}

/** Links to pages, one per line, under a heading. */
export function MenuGroup({ title, links }: { title: string; links: readonly MenuLink[] }) {
  const { t } = useText();
  return (
    <nav aria-label={title}>
      <h2 className="px-4 pb-2 text-sm font-semibold text-soft sm:px-1">{title}</h2>
      <ul className="card-flush divide-y overflow-hidden">
        {links.map(({ to, search, label, icon: Icon }) => (
          <li key={label}>
            <Link
              to={to}
              search={search ?? {}}
              className="flex min-h-12 items-center gap-3 px-4 py-2 font-medium hover:bg-sunken aria-[current]:bg-sunken"
            >
              <Icon className="size-5 shrink-0 text-soft" aria-hidden="true" />
              {t(label)}
              <ChevronRight className="ms-auto size-4 text-soft rtl:rotate-180" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
