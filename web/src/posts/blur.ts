import { thumbHashToRGBA } from "thumbhash";

/** Draws a ThumbHash (base64) onto a canvas. Draws nothing if the hash is invalid. */
export function drawBlur(canvas: HTMLCanvasElement, hash: string): void {
  try {
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
    const { w, h, rgba } = thumbHashToRGBA(bytes);
    canvas.width = w;
    canvas.height = h;
    canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
  } catch {
    // The blur is optional.
  }
}
