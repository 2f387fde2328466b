import type { Post, PostPicture } from "@tandem/contract/post-resources";
import { remotePicture } from "@tandem/contract/remote-pictures";
import { ImageOff } from "lucide-react";
import { useState } from "react";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { BlurredPreview } from "./media-frame.tsx";

const Lightbox = lazyComponent(() => import("./lightbox.tsx"));

/** The most pictures that are shown at once; the last of them says how many follow. */
const SHOWN = 4;

/** Several pictures as a grid, each of which opens in full screen, where the reader can go on to the others. */
export function Gallery({ post, pictures }: { post: Post; pictures: readonly PostPicture[] }) {
  const [opened, setOpened] = useState<number | null>(null);
  const enlarged = pictures.map(({ url, alt, originalUrl }) => ({
    src: remotePicture(`posts/${post.id}`, url),
    alt,
    originalUrl,
  }));
  const shown = pictures.slice(0, SHOWN);
  return (
    <>
      <ul className="grid aspect-4/3 grid-cols-2 grid-rows-2 gap-1 overflow-hidden rounded-xl">
        {shown.map((picture, i) => (
          <li key={picture.url} className={`relative min-h-0 min-w-0 ${spans(i, shown.length)}`}>
            <Tile
              src={picture.thumbnailUrl ?? enlarged[i]?.src ?? picture.url}
              picture={picture}
              number={i + 1}
              count={pictures.length}
              more={i === SHOWN - 1 ? pictures.length - SHOWN : 0}
              onOpen={() => setOpened(i)}
            />
          </li>
        ))}
      </ul>
      {opened !== null && (
        <Lightbox post={post} pictures={enlarged} start={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

/** Two pictures are side by side; the first of three has a column of its own. */
function spans(i: number, count: number): string {
  return count === 2 || (count === 3 && i === 0) ? "row-span-2" : "";
}

function Tile({
  src,
  picture: { alt, thumbHash },
  number,
  count,
  more,
  onOpen,
}: {
  src: string;
  picture: PostPicture;
  number: number;
  count: number;
  /** How many pictures follow that aren't shown. */
  more: number;
  onOpen(): void;
}) {
  const { t } = useText();
  const [isBroken, imageProps] = useBrokenImage();
  const [isLoaded, setLoaded] = useState(false);
  return (
    <button
      type="button"
      className="absolute inset-0 cursor-zoom-in bg-sunken -outline-offset-2"
      onClick={onOpen}
    >
      {isBroken ? (
        <ImageOff className="absolute inset-0 m-auto size-6 text-edge" aria-hidden="true" />
      ) : (
        <>
          {thumbHash && !isLoaded && <BlurredPreview hash={thumbHash} />}
          <img
            {...imageProps}
            onLoad={() => setLoaded(true)}
            src={src}
            alt={alt ?? ""}
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-full object-cover"
          />
        </>
      )}
      {more > 0 && (
        <span
          aria-hidden="true"
          className="absolute inset-0 grid place-items-center bg-black/60 text-2xl font-bold text-white"
        >
          +{more}
        </span>
      )}
      <span className="sr-only">{t("card.enlargeOf", { number, count })}</span>
    </button>
  );
}
