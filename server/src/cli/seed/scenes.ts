import type { Random } from "./random.ts";

/*
 * Pictures for the demo world: drawings of a few calm kinds, in a few calm sets of colours, from light to dark.
 */

export interface Size {
  width: number;
  height: number;
}

export interface Scene {
  /** What it shows, in words. */
  alt: string;
  /** The drawing, at a moment of its motion from 0 to 1. */
  at(moment: number): string;
}

const palettes = {
  dawn: ["#fdf0e4", "#f6d2b8", "#e8a98d", "#b97a74", "#7b5566", "#46374f"],
  sage: ["#f3f4e9", "#dbe3cb", "#b3c6a3", "#86a483", "#577d68", "#2f5149"],
  shore: ["#eef6f6", "#c9e2e4", "#94c3cb", "#5f9aab", "#3c6f88", "#23475f"],
  dusk: ["#f5eef6", "#dcd0e6", "#b5a8d0", "#857fb0", "#57588a", "#343760"],
  ochre: ["#faf4e3", "#f0dfb0", "#e0bf78", "#c0924f", "#8a6338", "#573f2b"],
  slate: ["#f1f3f5", "#d5dbe2", "#a9b5c2", "#78889a", "#4f5f72", "#2f3b4b"],
  rose: ["#fbf0ef", "#f0d0cf", "#dfa5a8", "#bc7681", "#855265", "#53364c"],
  moss: ["#f4f3e6", "#e0dcb6", "#bdbb7f", "#8d9457", "#606f41", "#394a31"],
} as const;

type Palette = keyof typeof palettes;
type Colours = (typeof palettes)[Palette];
type Charge = (random: Random, size: Size, colours: Colours) => Omit<Scene, "alt">;

const colourNames = Object.keys(palettes) as Palette[];
const words: Record<Palette, string> = {
  dawn: "the light of early morning",
  sage: "soft greens",
  shore: "the blues of a cool shore",
  dusk: "violet evening light",
  ochre: "warm ochre",
  slate: "quiet greys",
  rose: "faded rose",
  moss: "mossy greens",
};

const kinds: Record<string, { alt: string; draw: Charge }> = {
  hills: { alt: "Layers of hills under a pale sun", draw: hills },
  sea: { alt: "A low sun over calm water", draw: sea },
  night: { alt: "A night sky with stars above dark hills", draw: night },
  tiles: { alt: "A quilt of quarter circles", draw: tiles },
  stems: { alt: "Stems with round leaves", draw: stems },
  vases: { alt: "Vases and bowls on a shelf", draw: vases },
};
const moving = ["hills", "sea", "night"];

/** The scene of that number: kinds and colours come in turns, so that neighbours differ. */
export function scene(random: Random, number: number, size: Size): Scene {
  return drawn(random, Object.keys(kinds), number, size);
}

/** One in which something moves. */
export function motion(random: Random, number: number, size: Size): Scene {
  return drawn(random, moving, number, size);
}

/** A thing on a plain ground, as shops show them. */
export function ware(random: Random, number: number): string {
  const size = { width: 640, height: 640 };
  const colours = coloursOf(number);
  return svg(size, [
    box(0, 0, 640, 640, colours[0]),
    box(0, 470, 640, 170, colours[1]),
    ...vase(random, colours, 320, 480, 1.7),
  ]);
}

/** A face of a few shapes; an agent's has corners. */
export function face(random: Random, number: number, isAgent: boolean): string {
  const [ground, light, , middle, dark] = coloursOf(number);
  const size = { width: 256, height: 256 };
  const shoulders = isAgent ? box(48, 176, 160, 90, middle, 28) : ellipse(128, 262, 92, 84, middle);
  const head = isAgent ? box(78, 66, 100, 96, light, 30) : circle(128, 108, 52, light);
  const tilt = random.between(-6, 6);
  const eyes = [108, 148].map((x) => circle(x, 112 + (x - 128) * tilt * 0.01, isAgent ? 8 : 5, dark));
  const crown = isAgent
    ? [box(124, 38, 8, 30, dark, 4), circle(128, 36, 9, dark)]
    : [
        `<path d="M74 108 a54 54 0 0 1 108 0 q${-30 - random.between(0, 24)} ${-random.between(16, 36)} -54 -26 q-30 -6 -54 26z" fill="${dark}"/>`,
      ];
  return svg(size, [box(0, 0, 256, 256, ground), shoulders, head, ...crown, ...eyes]);
}

function drawn(random: Random, among: string[], number: number, size: Size): Scene {
  const name = among[number % among.length] ?? "";
  const palette = colourNames[
    (number * 3 + Math.floor(number / among.length)) % colourNames.length
  ] as Palette;
  const { alt, draw } = kinds[name] as (typeof kinds)[string];
  return { ...draw(random, size, palettes[palette]), alt: `${alt}, in ${words[palette]}.` };
}

function coloursOf(number: number): Colours {
  return palettes[colourNames[number % colourNames.length] as Palette];
}

function hills(random: Random, { width: w, height: h }: Size, colours: Colours): Omit<Scene, "alt"> {
  const [x, y] = [w * (0.2 + 0.6 * random.next()), h * (0.22 + 0.12 * random.next())];
  const ridges = [1, 2, 3, 4, 5].map((i) => ridge(random, w, h * (0.3 + 0.13 * i), h * 0.07));
  return {
    at: (moment) =>
      svg({ width: w, height: h }, [
        sky(w, h, colours[0], colours[1]),
        circle(x, y + h * 0.05 * Math.sin(2 * Math.PI * moment), Math.min(w, h) * 0.09, "#fffaf0"),
        ...ridges.map((points, i) => area(points, w, h, colours[i + 1] ?? colours[5])),
      ]),
  };
}

function sea(random: Random, { width: w, height: h }: Size, colours: Colours): Omit<Scene, "alt"> {
  const [x, horizon] = [w * (0.3 + 0.4 * random.next()), h * (0.45 + 0.1 * random.next())];
  const bands = Array.from({ length: 9 }, (_, i) => ({
    y: horizon + (h - horizon) * (0.06 + 0.1 * i),
    half: w * (0.05 + 0.035 * i) * (0.7 + 0.5 * random.next()),
    begin: random.next(),
  }));
  return {
    at: (moment) =>
      svg({ width: w, height: h }, [
        sky(w, horizon, colours[0], colours[2]),
        circle(x, horizon - h * 0.06, Math.min(w, h) * 0.13, "#fff7ea"),
        box(0, horizon, w, h - horizon, colours[3]),
        box(0, horizon + (h - horizon) * 0.45, w, h, colours[4]),
        ...bands.map(({ y, half, begin }) => {
          const shift = half * 0.35 * Math.sin(2 * Math.PI * (moment + begin));
          return box(x - half + shift, y, 2 * half, h * 0.012, colours[1], h * 0.006);
        }),
      ]),
  };
}

function night(random: Random, { width: w, height: h }: Size, colours: Colours): Omit<Scene, "alt"> {
  const stars = Array.from({ length: 70 }, () => ({
    x: w * random.next(),
    y: h * 0.75 * random.next(),
    r: Math.min(w, h) * (0.0015 + 0.003 * random.next()),
    begin: random.next(),
  }));
  const ridges = [ridge(random, w, h * 0.74, h * 0.06), ridge(random, w, h * 0.86, h * 0.05)];
  const [x, y, r] = [w * (0.2 + 0.6 * random.next()), h * 0.25, Math.min(w, h) * 0.08];
  return {
    at: (moment) =>
      svg({ width: w, height: h }, [
        sky(w, h, colours[5], colours[3]),
        ...stars.map((star) =>
          circle(
            star.x,
            star.y,
            star.r * (1 + 0.6 * Math.sin(2 * Math.PI * (moment + star.begin))),
            colours[0],
          ),
        ),
        crescent(x, y, r, colours[1]),
        area(ridges[0] ?? [], w, h, colours[4]),
        area(ridges[1] ?? [], w, h, colours[5]),
      ]),
  };
}

function tiles(random: Random, { width: w, height: h }: Size, colours: Colours): Omit<Scene, "alt"> {
  const side = Math.max(w, h) / 8;
  const shapes: string[] = [];
  for (let x = 0; x < w; x += side)
    for (let y = 0; y < h; y += side) {
      const [ground, shape] = [random.pick(colours.slice(0, 3)), random.pick(colours.slice(2))];
      const turn = 90 * random.between(0, 3);
      shapes.push(
        box(x, y, side + 1, side + 1, ground),
        `<path transform="translate(${n(x)} ${n(y)}) rotate(${turn} ${n(side / 2)} ${n(side / 2)})" d="M0 0H${n(side)}A${n(side)} ${n(side)} 0 0 1 0 ${n(side)}z" fill="${shape}"/>`,
      );
    }
  return { at: () => svg({ width: w, height: h }, shapes) };
}

function stems(random: Random, { width: w, height: h }: Size, colours: Colours): Omit<Scene, "alt"> {
  const count = Math.round(w / (h * 0.16)) + 2;
  const shapes = [sky(w, h, colours[0], colours[1])];
  for (let i = 0; i < count; i += 1) {
    const [x, top] = [(w * (i + 0.5)) / count, h * (0.15 + 0.35 * random.next())];
    const [stem, leaf] = [random.pick(colours.slice(3)), random.pick(colours.slice(2, 5))];
    shapes.push(box(x - h * 0.004, top, h * 0.008, h - top, stem));
    for (let y = top; y < h; y += h * 0.11)
      for (const side of [-1, 1])
        shapes.push(
          `<ellipse transform="translate(${n(x + side * h * 0.05)} ${n(y)}) rotate(${-side * 28})" rx="${n(h * 0.05)}" ry="${n(h * 0.024)}" fill="${leaf}"/>`,
        );
  }
  return { at: () => svg({ width: w, height: h }, shapes) };
}

function vases(random: Random, { width: w, height: h }: Size, colours: Colours): Omit<Scene, "alt"> {
  const shapes = [sky(w, h, colours[0], colours[1]), box(0, h * 0.78, w, h * 0.22, colours[4])];
  const count = Math.max(2, Math.round(w / (h * 0.3)));
  for (let i = 0; i < count; i += 1)
    shapes.push(
      ...vase(random, colours, (w * (i + 0.5)) / count, h * 0.785, (h / 640) * (0.7 + 0.5 * random.next())),
    );
  return { at: () => svg({ width: w, height: h }, shapes) };
}

/** Something that stands at a place, about 200 units high where the scale is 1. */
function vase(random: Random, colours: Colours, x: number, y: number, scale: number): string[] {
  const [belly, neck, tall] = [random.between(40, 80), random.between(14, 34), random.between(90, 220)];
  const colour = random.pick(colours.slice(2, 5));
  const path = `M${-neck} ${-tall} C${-neck} ${-tall * 0.6} ${-belly} ${-tall * 0.6} ${-belly} ${-tall * 0.3} C${-belly} 0 ${-belly * 0.6} 0 ${-belly * 0.5} 0 H${belly * 0.5} C${belly * 0.6} 0 ${belly} 0 ${belly} ${-tall * 0.3} C${belly} ${-tall * 0.6} ${neck} ${-tall * 0.6} ${neck} ${-tall}z`;
  const at = `translate(${n(x)} ${n(y)}) scale(${n(scale)})`;
  return [
    `<path transform="${at}" d="${path}" fill="${colour}"/>`,
    `<ellipse transform="${at}" cy="${-tall}" rx="${neck}" ry="5" fill="${colours[5]}"/>`,
  ];
}

/** Heights of a ridge, from left to right. */
function ridge(random: Random, width: number, y: number, rise: number): [number, number][] {
  const [a, b] = [random.next() * 6, random.next() * 6];
  return Array.from({ length: 25 }, (_, i) => {
    const t = i / 24;
    return [width * t, y + rise * (Math.sin(a + 5 * t) * 0.7 + Math.sin(b + 11 * t) * 0.3)];
  });
}

function area(points: readonly [number, number][], w: number, h: number, colour: string): string {
  const line = points.map(([x, y]) => `${n(x)} ${n(y)}`).join("L");
  return `<path d="M${line}L${w} ${h}L0 ${h}z" fill="${colour}"/>`;
}

function sky(w: number, h: number, above: string, below: string): string {
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient></defs>${box(0, 0, w, h, "url(#sky)")}`;
}

function box(x: number, y: number, w: number, h: number, colour: string, round = 0): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${n(round)}" fill="${colour}"/>`;
}

function crescent(x: number, y: number, r: number, colour: string): string {
  const [top, bottom] = [`${n(x)} ${n(y - r)}`, `${n(x)} ${n(y + r)}`];
  const [outer, inner] = [n(r), n(r * 1.25)];
  return `<path d="M${top}A${outer} ${outer} 0 0 0 ${bottom}A${inner} ${inner} 0 0 1 ${top}z" fill="${colour}"/>`;
}

function circle(x: number, y: number, r: number, colour: string): string {
  return ellipse(x, y, r, r, colour);
}

function ellipse(x: number, y: number, rx: number, ry: number, colour: string): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${colour}"/>`;
}

/** Rounded, so that the text is the same wherever it is made. */
function n(value: number): number {
  return Math.round(value * 10) / 10;
}

function svg({ width, height }: Size, shapes: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes.join("")}</svg>`;
}
