import type { Tag } from "@tandem/contract/resources";
import { useText } from "../i18n/use-text.tsx";
import { Link } from "../ui/link.tsx";

/** Hashtags, each with the number of people who used it lately, as links to what was posted with it. */
export function TrendingTags({ tags }: { tags: readonly Tag[] }) {
  const { t } = useText();
  return (
    <ul className="flex flex-wrap gap-1.5">
      {tags.map(({ name, people }) => (
        <li key={name} className="min-w-0">
          <Link
            to="/search"
            search={{ q: `#${name}` }}
            className="inline-flex min-h-9 max-w-full items-center gap-2 rounded-full border px-3 text-sm font-medium hover:border-edge hover:bg-sunken"
          >
            <bdi className="theirs-line min-w-0">#{name}</bdi>
            <span className="shrink-0 font-normal text-soft">{t("common.people", { count: people })}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
