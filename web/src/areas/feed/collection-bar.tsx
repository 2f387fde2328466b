import type { Collection } from "@tandem/contract/collections";
import { useQuery } from "@tanstack/react-query";
import { FolderPlus, Pencil, Search, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { collectionsQuery } from "../../data/collections.ts";
import type { FeedFilters } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Link } from "../../ui/link.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";

const NewCollection = lazyComponent(async () => ({
  default: (await import("./collection-dialogs.tsx")).NewCollection,
}));
const RenameCollection = lazyComponent(async () => ({
  default: (await import("./collection-dialogs.tsx")).RenameCollection,
}));
const DeleteCollection = lazyComponent(async () => ({
  default: (await import("./collection-dialogs.tsx")).DeleteCollection,
}));

/** The reader's collections, above their saved posts, and what can be done with the one that is shown. */
export default function CollectionBar({
  filters,
  placeholder,
}: {
  filters: FeedFilters;
  /** Shown until they are read. */
  placeholder: ReactNode;
}) {
  const { t } = useText();
  const { data: collections } = useQuery(collectionsQuery(useApi()));
  const [isCreating, setCreating] = useState(false);
  const shown = filters.collectionId === undefined ? null : Number(filters.collectionId);
  if (!collections) return placeholder;
  const current = collections.find(({ id }) => id === shown);
  return (
    <div className="mb-3 flex flex-col gap-2 px-4 sm:px-0">
      <div className="flex items-center gap-2">
        {collections.length === 0 ? (
          <Button onClick={() => setCreating(true)}>
            <FolderPlus className="size-4" aria-hidden="true" />
            {t("card.collection.new")}
          </Button>
        ) : (
          <>
            <TabLinks key={shown} label={t("card.collection.bar")} className="min-w-0 max-sm:-ms-4">
              <CollectionTab id={null} name={t("card.collection.all")} isCurrent={shown === null} />
              {collections.map(({ id, name }) => (
                <CollectionTab key={id} id={id} name={name} isCurrent={id === shown} />
              ))}
            </TabLinks>
            <IconButton
              label={t("card.collection.new")}
              className="shrink-0"
              onClick={() => setCreating(true)}
            >
              <FolderPlus className="size-5" aria-hidden="true" />
            </IconButton>
          </>
        )}
        <Link
          to="/search"
          className="ms-auto inline-flex min-h-10 shrink-0 items-center gap-2 rounded-full px-2.5 text-sm font-medium text-soft hover:bg-sunken hover:text-ink"
        >
          <Search className="size-5 sm:size-4" aria-hidden="true" />
          <span className="max-sm:sr-only">{t("nav.savedSearches")}</span>
        </Link>
      </div>
      {current && <CurrentCollection key={current.id} collection={current} />}
      {isCreating && <NewCollection onClose={() => setCreating(false)} />}
    </div>
  );
}

function CollectionTab({ id, name, isCurrent }: { id: number | null; name: string; isCurrent: boolean }) {
  return (
    <TabLink
      size="small"
      to="/"
      search={{ saved: "1", ...(id !== null && { collectionId: String(id) }) }}
      aria-current={isCurrent ? "page" : undefined}
    >
      <span className={id === null ? "" : "theirs max-w-48 truncate"}>{name}</span>
    </TabLink>
  );
}

function CurrentCollection({ collection }: { collection: Collection }) {
  const { t } = useText();
  const [question, setQuestion] = useState<"rename" | "delete" | null>(null);
  const close = () => setQuestion(null);
  return (
    <div className="flex items-center gap-1">
      <div className="min-w-0 flex-1">
        <h2 className="theirs text-xl font-bold break-words">{collection.name}</h2>
        <p className="text-sm text-soft">{t("card.collection.posts", { count: collection.postCount })}</p>
      </div>
      <IconButton label={t("card.collection.rename")} onClick={() => setQuestion("rename")}>
        <Pencil className="size-5" aria-hidden="true" />
      </IconButton>
      <IconButton label={t("card.collection.delete")} onClick={() => setQuestion("delete")}>
        <Trash2 className="size-5" aria-hidden="true" />
      </IconButton>
      {question === "rename" && <RenameCollection collection={collection} onClose={close} />}
      {question === "delete" && <DeleteCollection collection={collection} onClose={close} />}
    </div>
  );
}
