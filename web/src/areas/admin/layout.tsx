import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Link } from "../../ui/link.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { DAYS, type SectionName, sections } from "./sections.ts";

/** An admin page, with links to the others. */
export function AdminPage({
  section,
  actions,
  children,
}: {
  section: SectionName | "overview";
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useText();
  return (
    <div className="column max-w-5xl">
      <PageTitle description={t(`admin.${section}Description`, { days: DAYS })} actions={actions}>
        {t(`admin.${section}`)}
      </PageTitle>
      <TabLinks label={t("admin.title")} wraps className="mb-4">
        {(["overview", ...sections] as const).map((name) => (
          <TabLink
            key={name}
            size="small"
            to={name === "overview" ? "/admin" : `/admin/${name}`}
            aria-current={name === section ? "page" : undefined}
          >
            {/* In English, all tabs fit in a row of a desktop then. */}
            {t(name === "links" ? "admin.linksTab" : `admin.${name}`)}
          </TabLink>
        ))}
      </TabLinks>
      {children}
    </div>
  );
}

/** Objects begin with their numeric keys. */
const noFilterFirst = ([a]: [string, string], [b]: [string, string]) => Number(a !== "") - Number(b !== "");

/** A filter of a list, kept in the URL. */
export function Filter({
  to,
  label,
  name,
  values,
  selected,
  search = {},
}: {
  to: string;
  label: string;
  name: string;
  /** Labels by value, as in the URL. The empty value means no filter. */
  values: Record<string, string>;
  selected: string | undefined;
  search?: Record<string, string | undefined>;
}) {
  return (
    // On phones, one row, which scrolls.
    <nav
      aria-label={label}
      className="flex gap-1 max-sm:fading-row max-sm:max-w-full max-sm:overflow-x-auto sm:flex-wrap"
    >
      {Object.entries(values)
        .sort(noFilterFirst)
        .map(([value, label]) => (
          <Link
            key={value}
            to={to}
            search={{ ...search, [name]: value || undefined }}
            aria-current={(selected ?? "") === value ? "page" : undefined}
            className="min-h-8 shrink-0 content-center rounded-full border px-3 text-sm whitespace-nowrap text-soft hover:border-edge aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
          >
            {label}
          </Link>
        ))}
    </nav>
  );
}
