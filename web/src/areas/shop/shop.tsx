import type { Product } from "@tandem/contract/post-resources";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useMe } from "../../data/me.ts";
import { productsQuery, type ShopFilters } from "../../data/shop.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ProductPicture } from "../../posts/product-picture.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { AccountLink } from "../../ui/byline.tsx";
import { OutboundLink } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { usePrice } from "../../ui/use-price-text.ts";

/** How many categories to offer: those with most products in the pages loaded so far. */
const MAX_CATEGORIES = 12;

const filtersOf = ({ category, cursor }: AddressValues): ShopFilters =>
  ({ ...(category && { category }), ...(cursor && { cursor }) }) as ShopFilters;

export const Shop = page({
  // All products for the list of categories, and those of the selected category.
  load: ({ api, queryClient, search }) =>
    Promise.all(
      [{}, filtersOf(search)].map((filters) =>
        queryClient.ensureInfiniteQueryData(productsQuery(api, filters)),
      ),
    ),
  head: ({ i18n, search }) => ({
    title: i18n._("shop.title"),
    description: i18n._("shop.description"),
    ...(search.cursor === undefined && { canonical: "/shop" }),
    unlisted: search.category !== undefined || search.cursor !== undefined,
  }),
  View: ShopView,
});

function ShopView() {
  const { t } = useText();
  const me = useMe();
  const api = useApi();
  const filters = filtersOf(useSearch());
  const all = useInfiniteQuery(productsQuery(api)).data;
  const list = useInfiniteQuery(productsQuery(api, filters));
  const shown = list.data?.pages.flatMap((page) => page.products) ?? [];
  const myProductsButton = me && <ButtonLink to="/shop/mine">{t("shop.mine")}</ButtonLink>;
  return (
    <div className="column max-w-4xl">
      <PageTitle description={t("shop.description")} actions={myProductsButton}>
        {t("shop.title")}
      </PageTitle>
      <Categories products={all?.pages.flatMap((page) => page.products) ?? []} selected={filters.category} />
      {list.isPending ? (
        <SkeletonCards />
      ) : shown.length === 0 && !list.hasNextPage ? (
        <EmptyState drawing="shop" title={t("shop.empty")} action={myProductsButton}>
          {t("shop.emptyDescription")}
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-2 gap-3 px-4 sm:grid-cols-3 sm:gap-4 sm:px-0 wide:grid-cols-4">
          {shown.map((product) => (
            <ProductCard key={product.id} product={product} />
          ))}
        </ul>
      )}
      <LoadMore list={list} cursor={list.data?.pages.at(-1)?.nextCursor} />
    </div>
  );
}

function Categories({ products, selected }: { products: readonly Product[]; selected: string | undefined }) {
  const { t } = useText();
  const names = categoriesOf(products);
  if (names.length < 2 && !selected) return null;
  return (
    <TabLinks label={t("shop.categories")} className="mb-4">
      <TabLink to="/shop" aria-current={selected ? undefined : "page"}>
        {t("shop.all")}
      </TabLink>
      {names.map((name) => (
        <TabLink
          key={name}
          to="/shop"
          search={{ category: name }}
          aria-current={name === selected ? "page" : undefined}
        >
          {name}
        </TabLink>
      ))}
    </TabLinks>
  );
}

/** Categories by number of products, largest first. Without AI's: a category has no room for a mark, as a hashtag hasn't. */
function categoriesOf(products: readonly Product[]): string[] {
  const counts = new Map<string, number>();
  for (const { category, isAiGenerated } of products)
    if (category && !isAiGenerated) counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CATEGORIES)
    .map(([name]) => name);
}

/** A product. Its URL counts the click and redirects to the seller's site. */
function ProductCard({ product }: { product: Product }) {
  const { title, url, price, category, seller, sellerName, isAiGenerated } = product;
  return (
    <li className="card group relative flex flex-col overflow-hidden transition hover:border-edge">
      <ProductPicture product={product} className="aspect-square w-full" />
      <div className="flex flex-1 flex-col gap-1 p-3">
        <h2 className="theirs line-clamp-2 leading-snug font-semibold">
          <OutboundLink
            href={url}
            className="after:absolute after:inset-0 after:rounded-card group-hover:underline"
          >
            {title}
          </OutboundLink>
        </h2>
        {category && <p className="theirs-line block text-sm text-soft">{category}</p>}
        <p className="text-sm text-soft">
          <span className="relative inline-flex max-w-full">
            <AccountLink
              account={{ platform: "native", author: seller, authorName: sellerName ?? undefined }}
            />
          </span>
        </p>
        {isAiGenerated && (
          <p>
            <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" />
          </p>
        )}
        <p className="mt-auto flex items-center justify-between gap-2 pt-1">
          {price !== null && <Price price={price} />}
          <ExternalLink className="ms-auto size-4 shrink-0 text-soft" aria-hidden="true" />
        </p>
      </div>
    </li>
  );
}

function Price({ price }: { price: string | number }) {
  const { text, note } = usePrice()(price);
  return (
    <span className="min-w-0">
      <span className="theirs-line block font-bold" suppressHydrationWarning>
        {text}
      </span>
      {note !== null && <span className="block text-xs text-soft">{note}</span>}
    </span>
  );
}
