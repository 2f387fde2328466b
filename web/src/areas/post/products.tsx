import type { ProductCard } from "@tandem/contract/resources";
import { ShoppingBag } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { Away } from "../../ui/link.tsx";

/** What is sold along with a post. Its links lead by the service, which counts the click. */
export function Products({ products }: { products: readonly ProductCard[] }) {
  const { t } = useText();
  if (products.length === 0) return null;
  return (
    <section aria-label={t("thread.products")}>
      <ul className="grid gap-2 sm:grid-cols-2">
        {products.map((product) => (
          <li key={product.id}>
            <Away
              href={product.url}
              className="flex h-full items-center gap-3 rounded-xl border p-2 transition hover:bg-sunken"
            >
              <Picture product={product} />
              <span className="min-w-0">
                <span className="theirs line-clamp-2 leading-snug font-semibold">{product.title}</span>
                {product.price !== null && (
                  <span className="theirs line-clamp-1 text-sm text-soft">{product.price}</span>
                )}
              </span>
            </Away>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Picture({ product: { imageUrl } }: { product: ProductCard }) {
  return imageUrl === null ? (
    <span className="grid size-14 shrink-0 place-items-center rounded-lg bg-sunken text-soft">
      <ShoppingBag className="size-6" aria-hidden="true" />
    </span>
  ) : (
    <img
      src={imageUrl}
      alt=""
      width={56}
      height={56}
      loading="lazy"
      className="size-14 shrink-0 rounded-lg bg-sunken object-cover"
    />
  );
}
