/** A hashtag in a post or comment by a person. Deleted some time after it stops counting as recent. */
export interface TagUseRow {
  /** In lower case. */
  tag: string;
  user_id: number;
  post_id: number;
  /** 0 if it is in the post itself. */
  comment_id: number;
  /** As it was spelled. */
  name: string;
  used_at: number;
}

/** A hashtag of a post. Compared without case and accents, like `tag_follows.tag`. */
export interface PostTagRow {
  tag: string;
  post_id: number;
}

export interface TagFollowRow {
  user_id: number;
  tag: string;
  /** As its follower spelled it. */
  name: string;
}

/** A hashtag that enough people used recently, as the background job last counted them. */
export interface TagRow {
  /** In lower case. */
  tag: string;
  /** In the spelling that most people use. */
  name: string;
  /** The people who used it recently. */
  people: number;
}
