import type { SavedSearch } from "@tandem/contract/saved-searches";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, Pencil, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { tagIn } from "../../data/followed-topics.ts";
import { useMe } from "../../data/me.ts";
import type { FeedFilters } from "../../data/posts.ts";
import { savable, savedAs, savedSearchesQuery, searchSeen } from "../../data/saved-searches.ts";
import { useText } from "../../i18n/use-text.tsx";
import FollowTopicButton from "../../posts/follow-topic-button.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";

const SaveSearch = lazyComponent(async () => ({
  default: (await import("./saved-search-dialogs.tsx")).SaveSearch,
}));
const RenameSearch = lazyComponent(async () => ({
  default: (await import("./saved-search-dialogs.tsx")).RenameSearch,
}));
const DeleteSearch = lazyComponent(async () => ({
  default: (await import("./saved-search-dialogs.tsx")).DeleteSearch,
}));

/** What can be done with a search: follow the hashtag that it is for, save it, or change it if it is saved. */
export function SearchActions({ filters }: { filters: FeedFilters }) {
  const me = useMe();
  const { data: searches } = useQuery({ ...savedSearchesQuery(useApi()), enabled: me !== null });
  const tag = tagIn(filters.q);
  const current = searches && savedAs(filters, searches);
  const query = savable(filters);
  if (tag === null && !me) return null;
  return (
    <div className="mb-3 flex min-h-11 flex-wrap items-center gap-2 px-4 sm:px-0">
      {current && <CurrentSearch key={current.id} search={current} />}
      {tag !== null && (
        <FollowTopicButton
          key={tag}
          topic={{ tag }}
          texts={{ follow: "search.follow", following: "search.following" }}
        />
      )}
      {searches && !current && query && <SaveButton query={query} />}
    </div>
  );
}

function SaveButton({ query }: Pick<SavedSearch, "query">) {
  const { t } = useText();
  const [isSaving, setSaving] = useState(false);
  return (
    <>
      <Button onClick={() => setSaving(true)}>
        <BookmarkPlus className="size-4" aria-hidden="true" />
        {t("search.save")}
      </Button>
      {isSaving && <SaveSearch query={query} onClose={() => setSaving(false)} />}
    </>
  );
}

function CurrentSearch({ search }: { search: SavedSearch }) {
  const { t } = useText();
  const api = useApi();
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState<"rename" | "delete" | null>(null);
  const close = () => setQuestion(null);
  const markSeen = useEffectEvent(async () => {
    try {
      await api.editSavedSearch({ id: search.id, seen: true });
      searchSeen(queryClient, search.id);
    } catch {
      // Its matches count as new for longer.
    }
  });
  useEffect(() => void markSeen(), []);
  return (
    <div className="flex w-full min-w-0 items-center gap-1">
      <h2 className="theirs min-w-0 flex-1 text-xl font-bold break-words">{search.name}</h2>
      <IconButton label={t("search.rename")} onClick={() => setQuestion("rename")}>
        <Pencil className="size-5" aria-hidden="true" />
      </IconButton>
      <IconButton label={t("search.delete")} onClick={() => setQuestion("delete")}>
        <Trash2 className="size-5" aria-hidden="true" />
      </IconButton>
      {question === "rename" && <RenameSearch search={search} onClose={close} />}
      {question === "delete" && <DeleteSearch search={search} onClose={close} />}
    </div>
  );
}
