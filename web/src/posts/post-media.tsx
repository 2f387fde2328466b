import type { Post } from "@tandem/contract/resources";
import { Away } from "../ui/link.tsx";

/** What a post shows: a picture, a moving one, a video, or a card of the page that it links to. */
export function PostMedia({ post }: { post: Post }) {
  const { mediaType, mediaUrl, thumbnailUrl, alt, width, height, url, card } = post;
  if (mediaType === "image" || mediaType === "gif")
    return mediaUrl === null ? null : (
      <img
        src={mediaUrl}
        alt={alt ?? ""}
        loading="lazy"
        decoding="async"
        {...(width && height && { width, height })}
        className="h-auto max-h-[32rem] w-full rounded-xl bg-sunken object-contain"
      />
    );
  if (mediaType === "video")
    return mediaUrl === null ? null : (
      <video
        src={mediaUrl}
        poster={thumbnailUrl ?? undefined}
        controls
        muted
        playsInline
        preload="none"
        {...(width && height && { width, height })}
        className="h-auto max-h-[32rem] w-full rounded-xl bg-black"
      />
    );
  if (url === null) return null;
  return (
    <Away href={url} className="theirs block overflow-hidden rounded-xl border hover:bg-sunken">
      {card?.imageUrl && (
        <img
          src={card.imageUrl}
          alt=""
          width={640}
          height={336}
          loading="lazy"
          className="aspect-[40/21] h-auto w-full bg-sunken object-cover"
        />
      )}
      <span className="block p-3">
        <span className="line-clamp-2 font-semibold">{card?.title ?? url}</span>
        <span className="line-clamp-1 text-sm text-soft">{card?.siteName ?? hostOf(url)}</span>
      </span>
    </Away>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    return url;
  }
}
