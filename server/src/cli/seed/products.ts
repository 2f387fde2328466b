import { limits } from "@tandem/contract/limits";
import type { Gallery } from "./gallery.ts";
import { slug } from "./media.ts";
import type { Account, Click, Product } from "./plan.ts";
import type { Random } from "./random.ts";
import { line } from "./text.ts";
import { DAY, type Span } from "./time.ts";

const categories = ["tools", "prints", "books", "kits", "second-hand", "courses"] as const;

/** A person's products: most have none, some a few. */
export function shelf(random: Random, owner: Account, { from }: Span, gallery: Gallery | null): Product[] {
  if (!random.chance(0.12)) return [];
  const count = random.between(1, 4);
  return Array.from({ length: count }, () => product(random, owner, from, gallery?.wares ?? []));
}

function product(random: Random, owner: Account, from: number, pictures: readonly string[]): Product {
  const title = line(random, "product", owner.topic).slice(0, limits.productTitle);
  const address = `${slug(title)}-${random.between(100, 9999)}`;
  return {
    id: 0,
    owner,
    title,
    url: `https://shop.example.org/${owner.username.toLowerCase()}/${address}`,
    imageUrl:
      pictures.length > 0 ? random.pick(pictures) : `https://img.example.org/products/${address}.webp`,
    price: price(random),
    category: random.pick(categories),
    createdAt: Math.floor(owner.joinedAt + random.next() * (from - owner.joinedAt)),
  };
}

/** As people write prices: a number, or text with a currency, or nothing. */
function price(random: Random): string | number | null {
  const [whole, cents] = [random.between(3, 240), random.pick(["00", "50", "90", "99"])];
  return random.pick([`${whole}.${cents} €`, `${whole},${cents} EUR`, `$${whole}.${cents}`, whole, null]);
}

/** Clicks on a product on a few different days. */
export function clicksOn(random: Random, product: Product, { from, at }: Span, mean: number): Click[] {
  const last = Math.floor(at / DAY);
  const first = Math.min(Math.floor(from / DAY), last);
  const days = new Set<number>();
  for (let i = random.between(0, 3); i > 0; i -= 1) days.add(random.between(first, last));
  return [...days].map((day) => ({ product, day, clicks: 1 + random.longTail(mean, 500) }));
}
