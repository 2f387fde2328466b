/** Why a visit didn't take an item that the origin showed. */
export const skipReasons = {
  adult: "The origin's moderators hide it.",
  not_public: "It isn't public at the origin.",
  repost: "It repeats someone else's post.",
  opted_out: "Its author asks not to be indexed, or not to be shown to visitors without an account.",
  deleted: "It was deleted at the origin.",
  no_content: "It has neither a text nor a link nor media.",
  no_key: "It has no id, so it couldn't be recognized again.",
  malformed: "It isn't in the format that the origin documents.",
  duplicate: "The same response has it twice.",
  too_many: "The response has more items than a visit takes; the newest are taken.",
  other_source: "Another source has imported it already.",
  home_source: "Its own server is a source too, and only that source updates it.",
  removed_here: "It was imported before, and removed here.",
} as const;

export type SkipReason = keyof typeof skipReasons;
export const skipReasonNames = Object.keys(skipReasons) as SkipReason[];
