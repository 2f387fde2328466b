import type { Product } from "@tandem/contract/post-resources";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChartNoAxesColumn, Pencil, PenLine, Plus, ShoppingBag, Trash2 } from "lucide-react";
import { useState } from "react";
import { analyticsQuery } from "../../data/creators.ts";
import { ownProductsQuery, productsKey } from "../../data/shop.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ProductPicture } from "../../posts/product-picture.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Aside, AsideLink, AsideSection, WithAside } from "../../ui/aside.tsx";
import { AsideNotes } from "../../ui/aside-notes.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { Link, OutboundLink } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { usePriceText } from "../../ui/use-price-text.ts";

export const MyProducts = page({
  load: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(ownProductsQuery(api)),
      queryClient.ensureQueryData(analyticsQuery(api)),
    ]),
  head: ({ i18n }) => ({ title: i18n._("shop.mine"), unlisted: true }),
  View: MyProductsView,
});

const ProductForm = lazyComponent(() => import("./product-form.tsx"));

/** The product being edited, "new" for a new one, or null. */
type EditedProduct = Product | "new" | null;

function MyProductsView() {
  const { t } = useText();
  const [edited, setEdited] = useState<EditedProduct>(null);
  const list = useInfiniteQuery(ownProductsQuery(useApi()));
  const products = list.data?.pages.flatMap((page) => page.products) ?? [];
  const addButton = (
    <Button variant="primary" onClick={() => setEdited("new")}>
      <Plus className="size-4" aria-hidden="true" />
      {t("shop.add")}
    </Button>
  );
  return (
    <WithAside aside={<Help />}>
      <div>
        <PageTitle
          description={products.length > 0 && <ClickCounts />}
          actions={products.length > 0 && addButton}
        >
          {t("shop.mine")}
        </PageTitle>
        {list.isPending ? (
          <SkeletonCards count={2} />
        ) : products.length === 0 ? (
          <EmptyState drawing="shop" title={t("shop.mineEmpty")} action={addButton}>
            {t("shop.mineEmptyDescription")}
          </EmptyState>
        ) : (
          <>
            <CardList label={t("shop.mine")}>
              {products.map((product) => (
                <OwnProductRow key={product.id} product={product} onEdit={() => setEdited(product)} />
              ))}
            </CardList>
            <p className="px-4 pt-4 text-sm text-soft sm:px-0 wide:hidden">
              {t("shop.attachHint")}{" "}
              <Link to="/compose" className="font-semibold text-accent underline">
                {t("nav.compose")}
              </Link>
            </p>
          </>
        )}
        <LoadMore list={list} />
        {edited !== null && (
          <ProductForm product={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
        )}
      </div>
    </WithAside>
  );
}

/** Where products are shown. */
function Help() {
  const { t } = useText();
  return (
    <Aside label={t("shop.help")}>
      <AsideNotes title={t("shop.help")} notes={[t("shop.help.shop"), t("shop.attachHint")]} />
      <AsideSection title={t("common.more")}>
        <AsideLink to="/shop" Icon={ShoppingBag}>
          {t("nav.shop")}
        </AsideLink>
        <AsideLink to="/compose" Icon={PenLine}>
          {t("nav.compose")}
        </AsideLink>
        <AsideLink to="/analytics" Icon={ChartNoAxesColumn}>
          {t("nav.analytics")}
        </AsideLink>
      </AsideSection>
    </Aside>
  );
}

function ClickCounts() {
  const { t } = useText();
  const { data } = useQuery(analyticsQuery(useApi()));
  if (!data) return null;
  const { productClicks: all, productClicks7d: week } = data.totals;
  return <>{t("shop.clicks", { all, week })}</>;
}

function OwnProductRow({ product, onEdit }: { product: Product; onEdit(): void }) {
  const { t } = useText();
  const priceText = usePriceText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { id, title, url, price, category } = product;
  const remove = useAction((api) => api.deleteProduct({ id }), {
    onSuccess: () => {
      setConfirming(false);
      show(t("shop.deleted"));
      return queryClient.invalidateQueries({ queryKey: productsKey });
    },
  });
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <ProductPicture product={product} className="size-16 shrink-0 rounded-xl" />
      <div className="min-w-0 flex-1">
        <OutboundLink
          href={url}
          className="theirs-line block min-h-6 leading-6 font-semibold hover:underline"
        >
          {title}
        </OutboundLink>
        {product.isAiGenerated && (
          <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />
        )}
        <p className="theirs-line block text-sm text-soft">
          {[price === null ? null : priceText(price), category].filter(Boolean).join(" · ") || url}
        </p>
      </div>
      <div className="flex shrink-0">
        <IconButton label={t("shop.editNamed", { title })} onClick={onEdit}>
          <Pencil className="size-4.5" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("shop.deleteNamed", { title })} onClick={() => setConfirming(true)}>
          <Trash2 className="size-4.5" aria-hidden="true" />
        </IconButton>
      </div>
      <LazyConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("shop.deleteTitle")}
        description={t("shop.deleteDescription", { title })}
        action={t("common.delete")}
      />
    </li>
  );
}
