import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { PictureOwner } from "../../http/serve-remote-pictures.ts";
import type { SourceType } from "../../media/source-type.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { latestAvatar } from "../creators/creators.queries.ts";

/** A picture, and the AI mark that its copy here gets in addition to its own. */
interface ShownPicture {
  url: string;
  mark: SourceType | null;
}

/**
 * The picture, if its owner shows it now; null otherwise, such as for a removed post or a suspended seller. Of a creator it is
 * the current avatar, whatever address is given: older posts name older ones. A product's picture has the product's mark; what
 * imported posts and their authors show is their origins' own.
 */
export async function shownPicture(
  db: Db,
  owner: PictureOwner,
  url: string,
  now: number,
): Promise<ShownPicture | null> {
  if (owner.kind === "product") {
    const [product] = await pictureOfProduct(db, { id: owner.id, now });
    if (product?.image_url !== url) return null;
    return { url, mark: product.is_ai === 1 ? digitalSourceTypes.ai_generated : null };
  }
  if (owner.kind === "creator") {
    const { platform, author } = owner;
    const avatar = await latestAvatar(db, { platform: platform as OriginPlatform, author });
    return avatar === null ? null : { url: avatar, mark: null };
  }
  const [post] = await importedPost(db, { id: owner.id });
  return post && picturesOf(fromFragment(post.fragment)).includes(url) ? { url, mark: null } : null;
}

/** The link of a link post and a video are no pictures. */
function picturesOf({
  mediaType,
  mediaUrl,
  thumbnailUrl,
  pictures = [],
  card,
}: PostFacts): (string | null)[] {
  const isPicture = mediaType === "image" || mediaType === "gif";
  return [
    isPicture ? mediaUrl : null,
    thumbnailUrl,
    card?.imageUrl ?? null,
    ...pictures.map(({ url }) => url),
  ];
}

const importedPost = prepared<{ id: number }, { fragment: string }>((db, { id }) =>
  sql<{ fragment: string }>`
    select p.fragment from posts p where p.id = ${id} and p.removed = 0`.compile(db),
);

const pictureOfProduct = prepared<{ id: number; now: number }, { image_url: string | null; is_ai: number }>(
  (db, { id, now }) =>
    db
      .selectFrom("products as p")
      .innerJoin("users as u", "u.id", "p.user_id")
      .select(["p.image_url", "p.is_ai"])
      .where("p.id", "=", id)
      .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", now)]))
      .compile(),
);
