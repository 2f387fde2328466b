import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import type { FeedFilters } from "../../data/posts.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { AiPreferenceSwitch } from "./ai-preference-switch.tsx";
import { contentFilters } from "./content-filters.ts";

const ViewOptions = lazyComponent(() => import("./view-options.tsx"));

interface Tab {
  label: TextKey;
  search: Record<string, string | undefined>;
  isActive: boolean;
}

/** The feed's tabs, and its settings. */
export function FeedTabs({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const tabs = useTabs(filters);
  const [isOptionsOpen, setOptionsOpen] = useState(false);
  return (
    <div className="mb-3 flex items-center gap-2 px-4 pt-3 sm:px-0 sm:pt-0 print:hidden">
      <TabLinks label={t("feed.choose")} className="min-w-0 flex-1 max-sm:-ms-4">
        {tabs.map(({ label, search, isActive }) => (
          <TabLink key={label} to="/" search={search} aria-current={isActive ? "page" : undefined}>
            {t(label)}
          </TabLink>
        ))}
      </TabLinks>
      <div className="hidden sm:block">
        <AiPreferenceSwitch />
      </div>
      <IconButton label={t("feed.options")} className="shrink-0" onClick={() => setOptionsOpen(true)}>
        <SlidersHorizontal className="size-5" aria-hidden="true" />
      </IconButton>
      {isOptionsOpen && <ViewOptions onClose={() => setOptionsOpen(false)} />}
    </div>
  );
}

function useTabs(filters: FeedFilters): Tab[] {
  const me = useMe();
  const { sort, followed, saved } = filters;
  const shared = contentFilters(filters);
  const tabs: Tab[] = [
    { label: "feed.new", search: shared, isActive: !sort && !followed && !saved },
    { label: "feed.hot", search: { ...shared, sort: "hot" }, isActive: sort === "hot" },
  ];
  if (!me || Object.keys(shared).length > 0) return tabs;
  tabs.push({ label: "feed.following", search: { followed: "1" }, isActive: followed !== undefined });
  // Otherwise the menu leads there: in longer languages, four tabs don't fit next to the switch.
  if (saved !== undefined) tabs.push({ label: "feed.saved", search: { saved: "1" }, isActive: true });
  return tabs;
}
