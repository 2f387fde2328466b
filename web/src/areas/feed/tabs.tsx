import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import type { FeedFilters } from "../../data/posts.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Link } from "../../ui/link.tsx";
import { AiSwitch } from "./ai-switch.tsx";
import { narrowingOf } from "./content-filters.ts";

const ViewOptions = lazyComponent(() => import("./view-options.tsx"));

interface Tab {
  says: TextKey;
  search: Record<string, string | undefined>;
  on: boolean;
}

/** Which posts, in which order; and at the end, how one wants to see them. */
export function FeedTabs({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const tabs = useTabs(filters);
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="mb-3 flex items-center gap-2 px-4 pt-3 sm:px-0 sm:pt-0">
      <nav
        aria-label={t("feed.which")}
        className="-ms-1 flex min-w-0 flex-1 gap-0.5 overflow-x-auto p-1 sm:gap-1"
      >
        {tabs.map(({ says, search, on }) => (
          <Link
            key={says}
            to="/"
            search={search}
            aria-current={on ? "page" : undefined}
            className="inline-flex min-h-10 items-center rounded-full px-3 font-semibold whitespace-nowrap text-soft hover:bg-sunken aria-[current=page]:bg-ink aria-[current=page]:text-ground sm:px-4"
          >
            {t(says)}
          </Link>
        ))}
      </nav>
      <div className="hidden sm:block">
        <AiSwitch />
      </div>
      <IconButton label={t("feed.options")} className="shrink-0" onClick={() => setChoosing(true)}>
        <SlidersHorizontal className="size-5" aria-hidden="true" />
      </IconButton>
      {choosing && <ViewOptions onClose={() => setChoosing(false)} />}
    </div>
  );
}

function useTabs(filters: FeedFilters): Tab[] {
  const me = useMe();
  const { sort, followed, saved } = filters;
  const narrowing = narrowingOf(filters);
  const tabs: Tab[] = [
    { says: "feed.new", search: narrowing, on: !sort && !followed && !saved },
    { says: "feed.hot", search: { ...narrowing, sort: "hot" }, on: sort === "hot" },
  ];
  if (!me || Object.keys(narrowing).length > 0) return tabs;
  return [
    ...tabs,
    { says: "feed.following", search: { followed: "1" }, on: followed !== undefined },
    { says: "feed.saved", search: { saved: "1" }, on: saved !== undefined },
  ];
}
