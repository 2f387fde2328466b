import type { Post } from "@tandem/contract/post-resources";
import { useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { BlurredPreview, MediaPlaceholder, mediaClass } from "./media-frame.tsx";

const Lightbox = lazyComponent(() => import("./lightbox.tsx"));
const MediaUnavailable = lazyComponent(() => import("./media-unavailable.tsx"));

/** The width of the feed's version of a picture, in pixels. Smaller pictures have none. */
const FEED_WIDTH = 720;

/** A picture that opens in full screen on click. Its space is reserved if its size is known. */
export function Picture({ post, src }: { post: Post; src: string }) {
  const { t } = useText();
  const [enlarged, setEnlarged] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const [isBroken, imageProps] = useBrokenImage();
  const { alt, width, height, thumbHash } = post;
  if (isBroken)
    return <MediaUnavailable post={post} fallback={<MediaPlaceholder width={width} height={height} />} />;
  return (
    <>
      <button
        type="button"
        className="relative block w-full cursor-zoom-in overflow-hidden rounded-xl bg-sunken"
        onClick={() => setEnlarged(true)}
      >
        {!loaded && <BlurredPreview hash={thumbHash} />}
        <img
          {...imageProps}
          {...responsiveSources(post)}
          src={src}
          alt={alt ?? ""}
          loading="lazy"
          decoding="async"
          onLoad={() => setLoaded(true)}
          {...(width && height && { width, height })}
          className={`relative ${width && height ? mediaClass : "aspect-[4/3] h-auto w-full object-cover"}`}
        />
        <span className="sr-only">{t("card.zoom")}</span>
      </button>
      {enlarged && (
        <Lightbox
          post={post}
          pictures={[{ src, alt, originalUrl: post.originalUrl }]}
          onClose={() => setEnlarged(false)}
        />
      )}
    </>
  );
}

/** Uploaded pictures also have a smaller version, which is enough for most cards. */
function responsiveSources({ thumbnailUrl, mediaUrl, width }: Post) {
  if (!thumbnailUrl?.startsWith("/") || !width || width <= FEED_WIDTH) return {};
  return {
    srcSet: `${thumbnailUrl} ${FEED_WIDTH}w, ${mediaUrl} ${width}w`,
    sizes: "(min-width: 44rem) 40rem, 100vw",
  };
}
