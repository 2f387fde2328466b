import { limits } from "@tandem/contract/limits";
import type { Product } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { productsKey } from "../../data/shop.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { currencies } from "../../shared/price.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, fieldErrorOf, useFormError } from "../../ui/form.tsx";
import { LinkField } from "../../ui/link-field.tsx";
import { PriceField } from "./price-field.tsx";

const fields = ["title", "url", "price", "category", "imageUrl"] as const;
type FieldName = (typeof fields)[number];

const lengths: Record<Exclude<FieldName, "price">, number> = {
  title: limits.productTitle,
  url: limits.url,
  category: limits.productCategory,
  imageUrl: limits.url,
};

/** Creates or edits a product. The input is kept on errors and when the dialog closes; Cancel discards it. */
export default function ProductForm({ product, onClose }: { product: Product | null; onClose(): void }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const stored = useStoredDraft(`product.${product?.id ?? "new"}`, formValuesOf(product));
  const values = stored.value;
  const discard = () => {
    stored.clear();
    onClose();
  };
  const save = useAction(
    (api) => {
      const sent = payloadOf(values);
      return product
        ? api.editProduct({ id: product.id, ...sent })
        : api.createProduct(sent, { idempotencyKey: stored.idempotencyKeyFor(sent) });
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        discard();
        show(t(product ? "shop.saved" : "shop.added"));
        return queryClient.invalidateQueries({ queryKey: productsKey });
      },
    },
  );
  const formError = useFormError(save.error, fields);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(product ? "shop.edit" : "shop.add")}
      description={product ? undefined : t("shop.addDescription")}
    >
      <Form
        onSubmit={() => save.mutate()}
        busy={save.isPending}
        error={formError}
        submitLabel={t(product ? "common.save" : "shop.addSubmit")}
        secondaryAction={<Button onClick={discard}>{t("common.cancel")}</Button>}
      >
        {fields.map((name) => {
          const common = {
            error: fieldErrorOf(formError, name),
            value: values[name],
            readOnly: save.isPending,
            onValueChange: (text: string) => stored.change({ [name]: text }),
          };
          if (name === "price") return <PriceField key={name} {...common} />;
          const Input = name === "url" || name === "imageUrl" ? LinkField : TextField;
          return (
            <Input
              key={name}
              name={name}
              label={t(`shop.field.${name}`)}
              hint={t(`shop.hint.${name}`)}
              {...common}
              maxLength={lengths[name]}
              required={name === "title" || name === "url"}
            />
          );
        })}
      </Form>
    </Dialog>
  );
}

function formValuesOf(product: Product | null): Record<FieldName, string> {
  const words = fields.map((name) => [name, String(product?.[name] ?? "")]);
  return Object.fromEntries(words);
}

/** Empty fields are sent as null, which clears them. */
function payloadOf({ title, url, price, category, imageUrl }: Record<FieldName, string>) {
  return {
    title: title.trim(),
    url: url.trim(),
    // A currency alone is no price.
    price: currencies.includes(price.trim()) ? null : price.trim() || null,
    category: category.trim() || null,
    imageUrl: imageUrl.trim() || null,
  };
}
