import { limits } from "@tandem/contract/limits";
import type { ProductCard } from "@tandem/contract/post-resources";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../data/error-messages.ts";
import { ownProductsQuery } from "../../data/own-products.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { usePriceText } from "../../ui/use-price-text.ts";

interface Props {
  selected: readonly number[];
  onChange(ids: number[]): void;
  /** Products that are attached already. */
  attached?: readonly ProductCard[];
}

/** Attaches the author's products to a post. */
export function ProductsField({ selected, onChange, attached = [] }: Props) {
  const { t } = useText();
  const priceText = usePriceText();
  const { data, error, refetch } = useQuery(ownProductsQuery(useApi()));
  if (error)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-danger">
        {errorMessage(error, t)}
        <Button size="small" onClick={() => refetch()}>
          {t("common.retry")}
        </Button>
      </p>
    );
  if (!data) return <Skeleton className="h-10" />;
  if (data.length === 0)
    return (
      <p className="text-soft">
        {t("composer.noProducts")}{" "}
        <Link to="/shop/mine" className="text-accent underline">
          {t("composer.addProduct")}
        </Link>
      </p>
    );
  const attachedIds = new Set(attached.map(({ id }) => id));
  const isFull = selected.length + attachedIds.size >= limits.productsPerPost;
  return (
    <ul className="flex max-h-72 flex-col gap-3 overflow-y-auto p-1">
      {data.map(({ id, title, price }) => (
        <li key={id}>
          <Checkbox
            label={title}
            hint={price !== null && priceText(price)}
            className="theirs"
            checked={attachedIds.has(id) || selected.includes(id)}
            disabled={attachedIds.has(id) || (isFull && !selected.includes(id))}
            onChange={({ target }) =>
              onChange(target.checked ? [...selected, id] : selected.filter((other) => other !== id))
            }
          />
        </li>
      ))}
    </ul>
  );
}
