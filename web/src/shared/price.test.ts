import { expect, test } from "vitest";
import { currencies, isBareNumber, priceText } from "./price.ts";

test.each<[string | number, string, string]>([
  ["12.50 EUR", "€12.50", "12,50\u00a0€"],
  ["12,5EUR", "€12.50", "12,50\u00a0€"],
  ["EUR 9", "€9.00", "9,00\u00a0€"],
  ["9 €", "€9.00", "9,00\u00a0€"],
  ["£1000", "£1,000.00", "1.000,00\u00a0£"],
  ["1200 JPY", "¥1,200", "1.200\u00a0¥"],
  // Amounts without a currency, or that could mean something else.
  [12, "12", "12"],
  ["$9.90", "$9.90", "$9.90"],
  ["1,200 EUR", "1,200 EUR", "1,200 EUR"],
  ["12.5 JPY", "12.5 JPY", "12.5 JPY"],
  ["€9 EUR", "€9 EUR", "€9 EUR"],
  ["from 9 EUR", "from 9 EUR", "from 9 EUR"],
  ["9 XYZ", "9 XYZ", "9 XYZ"],
])("%s is shown as %s in English and as %s in German", (price, english, german) => {
  expect([priceText(price, "en"), priceText(price, "de")]).toEqual([english, german]);
});

test("a price that is only a number is known in all digits", () => {
  const prices = ["12", "1 200,50", "1'299", "٢٥٫٥", "１２００", "$9", "9 XYZ", "free"];
  expect(prices.filter(isBareNumber)).toEqual(prices.slice(0, 5));
});

test("the currencies exist", () => {
  expect(Intl.supportedValuesOf("currency")).toEqual(expect.arrayContaining(currencies));
});
