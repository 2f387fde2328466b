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
export const MAX_ZOOM = 4;

/** As much of the middle as fits. */
export const fullCrop = ({ width, height }: Size): Crop => ({
  x: width / 2,
  y: height / 2,
  side: Math.min(width, height),
});

/** The square that is nearest to the one wished for and lies within the picture. */
export function clampCrop({ x, y, side }: Crop, size: Size): Crop {
  const maxSide = Math.min(size.width, size.height);
  const clampedSide = Math.min(Math.max(side, maxSide / MAX_ZOOM), maxSide);
  const clampCenter = (center: number, length: number) =>
    Math.min(Math.max(center, clampedSide / 2), length - clampedSide / 2);
  return { x: clampCenter(x, size.width), y: clampCenter(y, size.height), side: clampedSide };
}

/** How much closer than the whole a square looks: 1 to {@link MAX_ZOOM}. */
export const zoomLevel = ({ side }: Crop, { width, height }: Size): number => Math.min(width, height) / side;
