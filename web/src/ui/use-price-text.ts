import { useText } from "../i18n/use-text.tsx";
import { isBareNumber, priceText } from "../shared/price.ts";

/** Returns a function that shows a price in the reader's notation. Where a price has no currency, it says so. */
export function usePriceText(): (price: string | number) => string {
  const { t, locale } = useText();
  return (price) =>
    isBareNumber(String(price)) ? `${price} (${t("card.noCurrency")})` : priceText(price, locale);
}
