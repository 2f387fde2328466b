import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Gallery } from "./gallery.ts";
import type { Account, Clicks, Product } from "./model.ts";
import { slug } from "./post-media.ts";
import type { Random } from "./random.ts";
import { line } from "./text.ts";
import type { Span } from "./time.ts";
import type { World } from "./world.ts";

const SELLERS = 0.12;

/** A person's products. Most people have none. */
export function createProducts(
  random: Random,
  owner: Account,
  { start }: Span,
  gallery: Gallery | null,
): Product[] {
  if (!random.chance(SELLERS)) return [];
  const count = random.between(1, 4);
  return Array.from({ length: count }, () => createProduct(random, owner, start, gallery?.products ?? []));
}

/** `until` is the latest time of creation. */
function createProduct(random: Random, owner: Account, until: number, pictures: readonly string[]): Product {
  const title = line(random, "product", owner.topic).slice(0, limits.productTitle);
  const path = `${slug(title)}-${random.between(100, 9999)}`;
  return {
    id: 0,
    owner,
    title,
    url: `https://shop.example.org/${owner.username.toLowerCase()}/${path}`,
    imageUrl: pictures.length > 0 ? random.pick(pictures) : `https://img.example.org/products/${path}.webp`,
    price: price(random),
    category: random.chance(0.15) ? "second-hand" : owner.topic,
    createdAt: Math.floor(owner.joinedAt + random.next() * (until - owner.joinedAt)),
  };
}

/** A number, text with a currency, or nothing: people enter prices in all these forms. */
function price(random: Random): string | number | null {
  const [whole, cents] = [random.between(3, 240), random.pick(["00", "50", "90", "99"])];
  return random.pick([`${whole}.${cents} €`, `${whole},${cents} EUR`, `$${whole}.${cents}`, whole, null]);
}

/** Clicks on a product on up to three days. */
export function createClicks(random: Random, product: Product, { start, end }: Span, mean: number): Clicks[] {
  const last = Math.floor(end / DAY);
  const first = Math.min(Math.floor(start / DAY), last);
  const days = new Set<number>();
  for (let i = random.between(0, 3); i > 0; i -= 1) days.add(random.between(first, last));
  return [...days].map((day) => ({ product, day, count: 1 + random.longTail(mean, 500) }));
}

/** Clicks on products in the shop, outside posts. */
export function createShopClicks({ random, accounts, span }: World): Clicks[] {
  const generator = random("clicks");
  const products = accounts.flatMap((account) => account.products);
  return products.flatMap((product) => createClicks(generator, product, span, 2));
}
