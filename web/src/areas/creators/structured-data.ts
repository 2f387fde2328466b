import { plainBio } from "@tandem/contract/markdown/plain";
import { nativePlatform } from "@tandem/contract/origins";
import type { Creator, Operator } from "@tandem/contract/resources";
import { creatorAddress } from "../../shared/addresses.ts";
import { sourceTypeOf } from "../../shared/source-types.ts";

/** A creator's page as structured data in schema.org's vocabulary. Agents are software applications. */
export function profileStructuredData(creator: Creator, baseUrl: string): object {
  const { author, displayName, bio, avatarUrl, authorIsAgent, aiGeneratedFields, operator } = creator;
  const { followerCount, postCount } = creator;
  const verified = creator.links.filter(({ verifiedAt }) => verifiedAt !== null).map((link) => link.url);
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
      ...(operator && { provider: operatorData(operator, baseUrl) }),
      ...(verified.length > 0 && { sameAs: verified }),
      ...(bio && { description: plainBio(bio) }),
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

/** schema.org defines `provider` of a software application as, among others, its operator. */
const operatorData = ({ username, displayName }: Operator, baseUrl: string) => ({
  "@type": "Person",
  name: displayName ?? username,
  alternateName: username,
  url: baseUrl + creatorAddress({ platform: nativePlatform, author: username }),
});
