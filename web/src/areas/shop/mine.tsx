import type { Product } from "@tandem/contract/resources";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { analyticsQuery } from "../../data/creators.ts";
import { ownProductsQuery, productsKey } from "../../data/shop.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { AskFirst } from "../../ui/lazy-confirm-dialog.tsx";
import { Away, Link } from "../../ui/link.tsx";
import { MoreBelow } from "../../ui/load-more.tsx";
import { Lines } from "../../ui/person-row.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { ProductPicture } from "./product-picture.tsx";

export const Mine = page({
  load: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(ownProductsQuery(api)),
      queryClient.ensureQueryData(analyticsQuery(api)),
    ]),
  head: ({ i18n }) => ({ title: i18n._("shop.mine"), unlisted: true }),
  View: MineView,
});

const ProductForm = lazyComponent(() => import("./product-form.tsx"));

/** Which product a form is open for; a new one where it says so. */
type Formed = Product | "new" | null;

function MineView() {
  const { t } = useText();
  const [formed, setFormed] = useState<Formed>(null);
  const list = useInfiniteQuery(ownProductsQuery(useApi()));
  const products = list.data?.pages.flatMap((one) => one.products) ?? [];
  const add = (
    <Button look="primary" onClick={() => setFormed("new")}>
      <Plus className="size-4" aria-hidden="true" />
      {t("shop.add")}
    </Button>
  );
  return (
    <div className="column">
      <PageTitle says={<Clicks />} actions={products.length > 0 && add}>
        {t("shop.mine")}
      </PageTitle>
      {list.isPending ? (
        <SkeletonCards count={2} />
      ) : products.length === 0 ? (
        <Empty title={t("shop.mineEmpty")} action={add}>
          {t("shop.mineEmptySays")}
        </Empty>
      ) : (
        <>
          <Lines label={t("shop.mine")}>
            {products.map((product) => (
              <OwnProduct key={product.id} product={product} onEdit={() => setFormed(product)} />
            ))}
          </Lines>
          <p className="px-4 pt-4 text-sm text-soft sm:px-0">
            {t("shop.attachHint")}{" "}
            <Link to="/compose" className="font-semibold text-accent underline">
              {t("nav.compose")}
            </Link>
          </p>
        </>
      )}
      <MoreBelow list={list} />
      {formed !== null && (
        <ProductForm product={formed === "new" ? null : formed} onClose={() => setFormed(null)} />
      )}
    </div>
  );
}

function Clicks() {
  const { t } = useText();
  const { data } = useQuery(analyticsQuery(useApi()));
  if (!data) return null;
  const { productClicks: all, productClicks7d: week } = data.totals;
  return <>{t("shop.clicks", { all, week })}</>;
}

function OwnProduct({ product, onEdit }: { product: Product; onEdit(): void }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const { id, title, url, imageUrl, price, category } = product;
  const remove = useAction((api) => api.deleteProduct({ id }), {
    onSuccess: () => {
      setAsks(false);
      show(t("shop.deleted"));
      return queryClient.invalidateQueries({ queryKey: productsKey });
    },
  });
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <ProductPicture src={imageUrl} className="size-16 shrink-0 rounded-xl" />
      <div className="min-w-0 flex-1">
        <Away href={url} className="theirs line-clamp-1 font-semibold hover:underline">
          {title}
        </Away>
        <p className="theirs line-clamp-1 text-sm text-soft">
          {[price, category].filter((word) => word !== null && word !== "").join(" · ") || url}
        </p>
      </div>
      <div className="flex shrink-0">
        <IconButton label={t("shop.editOne", { title })} onClick={onEdit}>
          <Pencil className="size-4.5" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("shop.deleteOne", { title })} onClick={() => setAsks(true)}>
          <Trash2 className="size-4.5" aria-hidden="true" />
        </IconButton>
      </div>
      <AskFirst
        open={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("shop.deleteTitle")}
        says={t("shop.deleteSays", { title })}
        action={t("common.delete")}
      />
    </li>
  );
}
