import type { Post } from "@tandem/contract/post-resources";
import { useEffect, useRef } from "react";

/** Classes for media: the card's width, its own aspect ratio, and less than a screen's height. */
export const mediaClass = "block h-auto max-h-[32rem] w-full object-contain";

/** Reserves space by aspect ratio. An SVG, because the security policy blocks inline styles. */
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

/** A blurred preview until the picture has loaded. */
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
