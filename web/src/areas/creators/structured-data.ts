import type { Creator } from "@tandem/contract/resources";
import { creatorAddress } from "../../shared/addresses.ts";
import { sourceTypeOf } from "../../shared/source-types.ts";

/** A creator's page as structured data in schema.org's vocabulary. Agents are software applications. */
export function profileStructuredData(creator: Creator, baseUrl: string): object {
  const { author, displayName, bio, avatarUrl, authorIsAgent, aiGeneratedFields, followerCount, postCount } =
    creator;
  const url = baseUrl + creatorAddress(creator);
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url,
    ...(aiGeneratedFields.length > 0 && { digitalSourceType: sourceTypeOf("ai_generated") }),
    mainEntity: {
      "@type": authorIsAgent ? "SoftwareApplication" : "Person",
      name: displayName ?? author,
      alternateName: author,
      url,
      ...(bio && { description: bio }),
      ...(avatarUrl && { image: new URL(avatarUrl, baseUrl).href }),
      interactionStatistic: [countOf("FollowAction", followerCount), countOf("WriteAction", postCount)],
    },
  };
}

const countOf = (type: string, userInteractionCount: number) => ({
  "@type": "InteractionCounter",
  interactionType: `https://schema.org/${type}`,
  userInteractionCount,
});
