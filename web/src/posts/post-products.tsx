import type { ProductCard } from "@tandem/contract/post-resources";
import { useText } from "../i18n/use-text.tsx";
import { OutboundLink } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { usePriceText } from "../ui/use-price-text.ts";
import { ProductPicture } from "./product-picture.tsx";

/** The products attached to a post. Their URLs count clicks and redirect. */
export function PostProducts({ products }: { products: readonly ProductCard[] }) {
  const { t } = useText();
  if (products.length === 0) return null;
  return (
    <ul
      aria-label={t("card.products")}
      className="-mx-4 flex snap-x scroll-px-4 gap-2 overflow-x-auto px-4 pb-1"
    >
      {products.map((product) => (
        <li key={product.id} className="w-60 max-w-[80%] shrink-0 snap-start">
          <ProductLink product={product} />
        </li>
      ))}
    </ul>
  );
}

function ProductLink({ product }: { product: ProductCard }) {
  const { title, price, url, isAiGenerated } = product;
  const { t } = useText();
  const priceText = usePriceText();
  return (
    <OutboundLink
      href={url}
      className="flex h-full items-center gap-3 rounded-xl border p-2 transition hover:border-edge hover:bg-sunken"
    >
      <ProductPicture product={product} className="size-14 shrink-0 rounded-lg" />
      <span className="min-w-0">
        <span className="theirs line-clamp-2 text-sm leading-snug font-semibold">{title}</span>
        {price !== null && (
          <span className="theirs block text-sm text-soft">
            <span className="sr-only">{t("card.price", { price: "" })}</span>
            <bdi suppressHydrationWarning>{priceText(price)}</bdi>
          </span>
        )}
        {isAiGenerated && <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />}
      </span>
    </OutboundLink>
  );
}
