import { Parser } from "htmlparser2";

/** The most characters of HTML that are searched. */
const MAX_HTML = 20_000;

/** Where scripts find a picture that loads late. */
const late = ["data-src", "data-lazy-src", "data-original"];

/** The URL of the first picture that HTML shows, which isn't a pixel that counts readers. */
export function pictureIn(html: string | undefined): string | null {
  let found: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "img" && found === null && !isPixel(attributes)) found = sourceOf(attributes);
    },
  });
  parser.end((html ?? "").slice(0, MAX_HTML));
  return found;
}

function isPixel({ width, height }: Record<string, string>): boolean {
  return [width, height].some((side) => Number.parseInt(side ?? "", 10) <= 1);
}

/** A picture that loads late has a placeholder for a source. */
function sourceOf(attributes: Record<string, string>): string | null {
  const places = [attributes.src, ...late.map((name) => attributes[name])];
  return places.find((place) => place && !/^\s*data:/i.test(place)) ?? null;
}
