import type { RawItem } from "./clean/item.ts";
import { at, stringAt } from "./clean/json.ts";
import { accountName, commonFields, communityAt, pollPosts, recognizeCommunity } from "./community-server.ts";
import { type Connector, OriginError } from "./connector.ts";
import { audioAmong } from "./feeds/audio.ts";
import { mediaAmong } from "./feeds/media.ts";

/**
 * A community as seen by a Lemmy server, or all local posts of that server. Texts are Markdown, imported as is. The
 * score is the votes; NSFW posts are sensitive.
 */
export const lemmy: Connector = {
  platform: "lemmy",
  software: ["lemmy"],
  recognize: recognizeCommunity,

  async poll({ url }, ask) {
    const { origin, community } = communityAt(url);
    const which = community ? `community_name=${encodeURIComponent(community)}&` : "";
    const local = community ? "" : "&type_=Local";
    try {
      return await pollPosts(ask, `${origin}/api/v3/post/list?${which}sort=New&limit=50${local}`, rawItemOf);
    } catch (error) {
      // Lemmy's v4 API replaces v3, which is then 404 or 410.
      if (!(error instanceof OriginError) || (error.status !== 404 && error.status !== 410)) throw error;
      const all = local.toLowerCase();
      return pollPosts(ask, `${origin}/api/v4/post/list?${which}sort=new&limit=50${all}`, rawItemOf);
    }
  },
};

/** Handles both API versions, which differ in where counts and times are. */
function rawItemOf(view: unknown): RawItem {
  const [post, creator] = [at(view, "post"), at(view, "creator")];
  const url = at(post, "url");
  const files = [{ url, type: stringAt(post, "url_content_type") ?? "" }];
  const [media] = mediaAmong(files);
  return {
    ...commonFields(view),
    link: media ? null : url,
    author: accountName(
      stringAt(creator, "name"),
      stringAt(creator, "actor_id") ?? stringAt(creator, "ap_id"),
    ),
    title: at(post, "name"),
    media: media && {
      ...media,
      width: at(view, "image_details", "width") ?? at(post, "embed_video_width"),
      height: at(view, "image_details", "height") ?? at(post, "embed_video_height"),
      alt: at(post, "alt_text"),
    },
    audio: audioAmong(files),
    score: at(view, "counts", "score") ?? at(post, "score"),
    commentCount: at(view, "counts", "comments") ?? at(post, "comments"),
    provenance: at(creator, "bot_account") === true ? "ai_generated" : null,
    postedAt: at(post, "published") ?? at(post, "published_at"),
  };
}
