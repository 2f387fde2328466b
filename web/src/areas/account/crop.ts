/** A square within a picture, in the picture's pixels: its centre and its side. */
export interface Crop {
  x: number;
  y: number;
  side: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The highest zoom factor. */
export const MAX_ZOOM = 4;

/** The largest centred square. */
export const fullCrop = ({ width, height }: Size): Crop => ({
  x: width / 2,
  y: height / 2,
  side: Math.min(width, height),
});

/** Moves and resizes a square as little as possible so that it lies within the picture. */
export function clampCrop({ x, y, side }: Crop, size: Size): Crop {
  const maxSide = Math.min(size.width, size.height);
  const clampedSide = Math.min(Math.max(side, maxSide / MAX_ZOOM), maxSide);
  const clampCenter = (center: number, length: number) =>
    Math.min(Math.max(center, clampedSide / 2), length - clampedSide / 2);
  return { x: clampCenter(x, size.width), y: clampCenter(y, size.height), side: clampedSide };
}

/** The zoom factor of a square: 1 to {@link MAX_ZOOM}. */
export const zoomLevel = ({ side }: Crop, { width, height }: Size): number => Math.min(width, height) / side;
