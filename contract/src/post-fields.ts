import Type from "typebox";
import { CommunityName } from "./communities.ts";
import { Link } from "./fields.ts";
import { limits } from "./limits.ts";
import { quotePolicies } from "./post-resources.ts";
import { provenances } from "./provenance.ts";
import { Id, nullable, oneOf, optional, publicLine, publicText, TimeInput } from "./schema.ts";

export const Title = publicLine(limits.postTitle, { examples: ["A note on the engine"] });
export const Body = nullable(publicText(0, limits.postBody), {
  description: "Markdown.",
  examples: ["It might act upon other things besides number."],
});

export const Alt = nullable(publicText(0, limits.alt, { examples: ["A loom with punched cards."] }), {
  description:
    "A description of the picture or video, for people who can't see it; of several pictures, the first one's.",
});

const PictureAlt = nullable(publicText(0, limits.alt, { examples: ["A loom with punched cards."] }));

export const Alts = nullable(
  Type.Array(PictureAlt, {
    maxItems: limits.picturesPerPost,
    examples: [["A loom with punched cards.", "Its cards from near."]],
  }),
  {
    description:
      "Descriptions of several pictures, in their order, instead of `alt`. An empty text or null means none; an edit leaves pictures beyond the list as they are.",
  },
);

export const ContentWarning = nullable(publicLine(limits.contentWarning, { examples: ["Spoilers"] }), {
  description:
    "What the text and media are hidden behind until a reader asks for them. The title stays visible.",
  examples: [null],
});

export const Sensitive = Type.Boolean({
  description: "Hide the picture, video or link preview until a reader asks for it.",
  examples: [false],
});

export const QuoteId = nullable(Id, {
  description: "The post to quote.",
  examples: [null],
});

export const QuotePolicy = oneOf(quotePolicies, {
  description: "Who else can quote the post. `nobody` also takes it out of the posts that quote it already.",
  examples: ["anyone"],
});

const { pollOptions, pollTime } = limits;

export const NewPoll = nullable(
  Type.Object({
    options: Type.Array(publicLine(limits.pollOption, { examples: ["Jacquard"] }), {
      minItems: pollOptions.min,
      maxItems: pollOptions.max,
      description: "They must differ in more than case and blanks.",
      examples: [["Jacquard", "Dobby"]],
    }),
    closesAt: Type.String({
      ...TimeInput,
      description: `The end of voting: ${pollTime.minMinutes} minutes to ${pollTime.maxDays} days after the post is published.`,
    }),
    isMultiple: optional(
      Type.Boolean({ description: "Whether one can choose several options.", examples: [false] }),
    ),
  }),
  { description: "A poll. Once it is published, it can't be changed.", examples: [null] },
);

/** The fields of a new post without files, or of a draft of one. */
export const postFields = {
  title: Title,
  body: optional(Body),
  url: optional(nullable(Link)),
  contentWarning: optional(ContentWarning),
  sensitive: optional(Sensitive),
  quoteId: optional(QuoteId),
  quotePolicy: optional(QuotePolicy),
  poll: optional(NewPoll),
  productIds: optional(
    nullable(Type.Array(Id, { maxItems: limits.productsPerPost }), {
      description: "Ids of your own products.",
      "x-needs-scope": "products:write",
    }),
  ),
  community: optional(
    nullable(CommunityName, {
      description: "A community here that you joined.",
      examples: [null],
    }),
  ),
  provenance: optional(
    oneOf(provenances, {
      "x-no-tool": true,
      description: "A person can declare AI involvement. Ignored from keys and agents.",
    }),
  ),
};
