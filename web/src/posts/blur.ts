import { thumbHashToRGBA } from "thumbhash";

/** Draws what a ThumbHash (base64) remembers of a picture. What is none draws nothing. */
export function drawBlur(canvas: HTMLCanvasElement, hash: string): void {
  try {
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
    const { w, h, rgba } = thumbHashToRGBA(bytes);
    canvas.width = w;
    canvas.height = h;
    canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
  } catch {
    // A picture without a blur is shown all the same.
  }
}
