import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { PictureOwner } from "../../http/serve-remote-pictures.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { latestAvatar } from "../creators/creators.queries.ts";

/**
 * The address of the picture, if its owner shows it now; null otherwise, such as for a removed post or a suspended
 * seller. Of a creator it is the current avatar, whatever address is given: older posts name older ones.
 */
export async function shownAddress(
  db: Db,
  owner: PictureOwner,
  url: string,
  now: number,
): Promise<string | null> {
  if (owner.kind === "product") {
    const [product] = await pictureOfProduct(db, { id: owner.id, now });
    return product?.image_url === url ? url : null;
  }
  if (owner.kind === "creator") {
    const { platform, author } = owner;
    return latestAvatar(db, { platform: platform as OriginPlatform, author });
  }
  const [post] = await importedPost(db, { id: owner.id });
  return post && picturesOf(fromFragment(post.fragment)).includes(url) ? url : null;
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

const pictureOfProduct = prepared<{ id: number; now: number }, { image_url: string | null }>(
  (db, { id, now }) =>
    db
      .selectFrom("products as p")
      .innerJoin("users as u", "u.id", "p.user_id")
      .select("p.image_url")
      .where("p.id", "=", id)
      .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", now)]))
      .compile(),
);
