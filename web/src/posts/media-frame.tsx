import type { Post } from "@tandem/contract/resources";
import { useEffect, useRef } from "react";

/** The classes of what fills its place: as wide as the card, as high as its sides say, and never a whole screen. */
export const mediaClass = "block h-auto max-h-[32rem] w-full object-contain";

/** What keeps a place of some sides where no picture does: the policy keeps styles out of the document. */
export function MediaPlaceholder({ width, height }: Pick<Post, "width" | "height">) {
  const viewBox = `0 0 ${width ?? 16} ${height ?? 9}`;
  return (
    <svg
      aria-hidden="true"
      width={width ?? 16}
      height={height ?? 9}
      className={mediaClass}
      viewBox={viewBox}
    />
  );
}

/** The blur of a picture, until it is there. */
export function BlurredPreview({ hash }: { hash: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (hash)
      import("./blur.ts").then(
        ({ drawBlur }) => canvas.current && drawBlur(canvas.current, hash),
        () => {},
      );
  }, [hash]);
  return (
    hash && (
      <span aria-hidden="true" className="absolute inset-0">
        <canvas ref={canvas} className="size-full object-cover" />
      </span>
    )
  );
}
