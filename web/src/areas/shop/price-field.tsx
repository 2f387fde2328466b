import { limits } from "@tandem/contract/limits";
import { useText } from "../../i18n/use-text.tsx";
import { currencies, isAmount, splitPrice } from "../../shared/price.ts";
import { Select, TextField } from "../../ui/field.tsx";

/** A price as an amount and its currency. Its value is both, such as `12.50 EUR`, or what someone entered without a currency. */
export function PriceField({
  value,
  error,
  readOnly,
  onValueChange,
}: {
  value: string;
  error: string | null;
  readOnly: boolean;
  onValueChange(price: string): void;
}) {
  const { t, locale } = useText();
  // A currency without an amount is kept while the amount is being replaced.
  const { amount, currency } = currencies.includes(value.trim())
    ? { amount: "", currency: value.trim() }
    : splitPrice(value);
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const change = (to: { amount?: string; currency?: string }) => {
    const next = { amount, currency, ...to };
    onValueChange([next.amount, next.currency].filter(Boolean).join(" "));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-start gap-3">
      <TextField
        name="price"
        label={t("shop.field.price")}
        hint={t("shop.hint.price")}
        error={error}
        inputMode="decimal"
        value={amount}
        readOnly={readOnly}
        onValueChange={(text) => change({ amount: text })}
        maxLength={limits.productPrice - " EUR".length}
      />
      <Select
        label={t("shop.field.currency")}
        value={currency}
        disabled={readOnly}
        required={isAmount(amount.trim())}
        onChange={({ target }) => change({ currency: target.value })}
      >
        <option value="" />
        {currencies.map((code) => (
          <option key={code} value={code}>{`${code} – ${names.of(code)}`}</option>
        ))}
      </Select>
    </div>
  );
}
