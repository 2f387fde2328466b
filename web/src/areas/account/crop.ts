/** A square of a picture, in the picture's own pixels: where its middle is, and how long its side. */
export interface Crop {
  x: number;
  y: number;
  side: number;
}

export interface Size {
  width: number;
  height: number;
}

/** How much closer than the whole one can look. */
export const CLOSEST = 4;

/** As much of the middle as fits. */
export const wholeOf = ({ width, height }: Size): Crop => ({
  x: width / 2,
  y: height / 2,
  side: Math.min(width, height),
});

/** The square that is nearest to the one wished for and lies within the picture. */
export function within({ x, y, side }: Crop, size: Size): Crop {
  const most = Math.min(size.width, size.height);
  const held = Math.min(Math.max(side, most / CLOSEST), most);
  const keep = (at: number, length: number) => Math.min(Math.max(at, held / 2), length - held / 2);
  return { x: keep(x, size.width), y: keep(y, size.height), side: held };
}

/** How much closer than the whole a square looks: 1 to {@link CLOSEST}. */
export const zoomOf = ({ side }: Crop, { width, height }: Size): number => Math.min(width, height) / side;
