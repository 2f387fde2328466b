import { useText } from "../i18n/use-text.tsx";
import { isBareNumber, priceText } from "../shared/price.ts";

/** Returns a function that tells a price in the reader's notation, and says if it states no currency. */
export function usePrice(): (price: string | number) => { text: string; note: string | null } {
  const { t, locale } = useText();
  return (price) => ({
    text: priceText(price, locale),
    note: isBareNumber(String(price)) ? t("card.noCurrency") : null,
  });
}

/** The same in one text. */
export function usePriceText(): (price: string | number) => string {
  const split = usePrice();
  return (price) => {
    const { text, note } = split(price);
    return note === null ? text : `${text} (${note})`;
  };
}
