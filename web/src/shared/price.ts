/** The currencies that the app offers: ISO 4217. */
export const currencies = [
  ..."EUR USD GBP AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP HKD HUF IDR ILS INR".split(" "),
  ..."JPY KES KRW MAD MXN MYR NGN NOK NZD PEN PHP PLN RON SAR SEK SGD THB TRY TWD UAH VND ZAR".split(" "),
];

/** Symbols that mean one currency everywhere; `$` and `¥` don't. */
const symbols: Record<string, string> = {
  "€": "EUR",
  "£": "GBP",
  "₹": "INR",
  "₩": "KRW",
  "₪": "ILS",
  "₫": "VND",
};

const AMOUNT = /^\d{1,12}(?:[.,]\d{1,2})?$/;

/** Whether a text is an amount without a currency. A comma before one or two digits is a decimal one. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);

/** Whether a price is nothing but a number, so that no one can tell its currency. */
export const isBareNumber = (text: string): boolean => /^[\p{Nd}\s.,'’٫٬]+$/u.test(text);

/** A price's amount and currency; without a currency that this app knows, the whole text is the amount. */
export function splitPrice(text: string): { amount: string; currency: string } {
  const [, before, amount = "", after] = /^(\D{1,3}?)?\s?([\d.,]+)\s?(\D{1,3})?$/.exec(text.trim()) ?? [];
  const unit = before ?? after ?? "";
  const currency = symbols[unit] ?? unit;
  return currencies.includes(currency) && isAmount(amount) && !(before && after)
    ? { amount, currency }
    : { amount: text, currency: "" };
}

/** A price in the reader's notation. What isn't an amount with a currency stays as its owner entered it. */
export function priceText(price: string | number, locale: string): string {
  const { amount, currency } = splitPrice(String(price));
  if (currency === "") return String(price);
  const value = Number(amount.replace(",", "."));
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  // Rounding would change the price.
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  const given = amount.split(/[.,]/)[1]?.length ?? 0;
  return given > digits ? String(price) : format.format(value);
}
