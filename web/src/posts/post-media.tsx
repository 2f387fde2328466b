import { embeddedPlayerOf } from "@tandem/contract/embedded-players";
import type { Post } from "@tandem/contract/post-resources";
import { remotePicture } from "@tandem/contract/remote-pictures";
import { Globe } from "lucide-react";
import { useId } from "react";
import { OutboundLink } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { AudioPlayer } from "./audio-player.tsx";
import { SensitiveMedia } from "./content-warning.tsx";
import { Gallery } from "./gallery.tsx";
import { Picture } from "./picture.tsx";
import { hostOf, linkOf, previewOf } from "./post-links.ts";
import { OtherSitesVideo, Video } from "./video.tsx";

/**
 * A post's media: a picture, an animated picture, a video, or a link card; and its audio. Sensitive ones are covered; those
 * behind a content warning aren't covered twice.
 */
export function PostMedia({ post }: { post: Post }) {
  const isCovered = post.sensitive === true && post.contentWarning === undefined;
  const hasMedia = post.mediaType !== "text" || post.audioUrl !== undefined;
  if (!isCovered || !hasMedia) return <Media post={post} />;
  return (
    <SensitiveMedia post={post}>
      <Media post={post} />
    </SensitiveMedia>
  );
}

function Media({ post }: { post: Post }) {
  const { audioUrl, mediaType } = post;
  if (audioUrl === undefined) return <OwnMedia post={post} />;
  const isLink = mediaType === "link";
  return (
    <>
      {!isLink && <OwnMedia post={post} />}
      <div className="divide-y overflow-hidden rounded-xl border">
        <AudioPlayer post={post} src={audioUrl} />
        {isLink && linkOf(post) !== audioUrl && <OwnMedia post={post} />}
      </div>
    </>
  );
}

function OwnMedia({ post }: { post: Post }) {
  const { mediaType, mediaUrl } = post;
  const link = linkOf(post);
  if (link) return <SharedLink post={post} link={link} />;
  if (mediaUrl === null) return null;
  if (post.pictures) return <Gallery post={post} pictures={post.pictures} />;
  if (mediaType === "image") return <Picture post={post} src={remotePicture(`posts/${post.id}`, mediaUrl)} />;
  if (mediaType === "video" || mediaType === "gif") return <Video post={post} src={mediaUrl} />;
  return null;
}

/** A link card, and above it the player of the video that it leads to, if it is one that can be played here. */
function SharedLink({ post, link }: { post: Post; link: string }) {
  const player = post.audioUrl === undefined ? embeddedPlayerOf(post) : null;
  if (player === null) return <LinkCard post={post} link={link} isPart={post.audioUrl !== undefined} />;
  return (
    <div className="overflow-hidden rounded-xl border">
      <OtherSitesVideo post={post} player={player} isPart />
      <LinkCard post={post} link={link} isPart />
    </div>
  );
}

/** A link card; with the linked page's title only if the post's own differs. If it is part of a player, that has the picture. */
function LinkCard({ post, link, isPart }: { post: Post; link: string; isPart: boolean }) {
  const { card, title, provenance } = post;
  const picture = isPart ? null : previewOf(post);
  const linkTitle = card?.title && card.title !== title ? card.title : null;
  const id = useId();
  return (
    <OutboundLink
      href={link}
      aria-labelledby={`${id}-title ${id}-site`}
      aria-describedby={card?.description ? `${id}-description` : undefined}
      className={`flex items-stretch transition hover:bg-sunken ${isPart ? "min-h-11 -outline-offset-2" : "min-h-14 overflow-hidden rounded-xl border hover:border-edge"}`}
    >
      <span className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 px-3.5 py-2.5">
        {linkTitle && (
          <span id={`${id}-title`} className="theirs line-clamp-2 font-semibold">
            {linkTitle}
          </span>
        )}
        {card?.description && (
          <span id={`${id}-description`} className="theirs line-clamp-2 text-sm text-soft">
            {card.description}
          </span>
        )}
        <span className="flex items-center gap-1.5 text-sm text-soft">
          <Globe className="size-3.5 shrink-0" aria-hidden="true" />
          <span id={`${id}-site`} className="theirs-line block">
            {[card?.siteName, hostOf(link)].filter(Boolean).join(" · ")}
          </span>
          {card?.provenance && card.provenance !== provenance && (
            <ProvenanceBadge provenance={card.provenance} provenanceBasis="origin" short />
          )}
        </span>
      </span>
      {picture && <LinkPicture src={picture} />}
    </OutboundLink>
  );
}

/** Keeps its space if the picture can't be loaded, so that nothing moves. */
function LinkPicture({ src }: { src: string }) {
  const [isBroken, imageProps] = useBrokenImage();
  return (
    <span className="relative w-28 shrink-0 bg-sunken sm:w-40">
      {isBroken ? (
        <Globe className="absolute inset-0 m-auto size-6 text-edge" aria-hidden="true" />
      ) : (
        <img
          {...imageProps}
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  );
}
