import type { OperationName } from "@tandem/contract/operations";
import type { Handlers } from "../http/context.ts";
import { accountRemoval } from "./account-deletion/delete-account.ts";
import { dataExports } from "./account-export/exports.ts";
import { access } from "./accounts/access.ts";
import { checklist } from "./accounts/checklist.ts";
import { email } from "./accounts/email.ts";
import { invitations } from "./accounts/invitations.ts";
import { newPassword } from "./accounts/new-password.ts";
import { parkedSessions } from "./accounts/parked-sessions.ts";
import { passkeys } from "./accounts/passkeys.ts";
import { passwords } from "./accounts/passwords.ts";
import { preferences } from "./accounts/preferences.ts";
import { proveIdentity } from "./accounts/prove-identity.ts";
import { providers } from "./accounts/providers.ts";
import { registration } from "./accounts/registration.ts";
import { secondFactor } from "./accounts/second-factor.ts";
import { security } from "./accounts/security.ts";
import { sessionList } from "./accounts/session-list.ts";
import { sessions } from "./accounts/sessions.ts";
import { signUpRequests } from "./accounts/sign-up-requests.ts";
import { analytics } from "./analytics/analytics.ts";
import { comments } from "./comments/comments.ts";
import { commentLikes } from "./comments/likes.ts";
import { readComments } from "./comments/read-comments.ts";
import { commentVersions } from "./comments/versions.ts";
import { communities } from "./communities/communities.ts";
import { followedCommunities } from "./communities/followed-communities.ts";
import { members } from "./communities/members.ts";
import { membership } from "./communities/membership.ts";
import { communityPictures } from "./communities/picture.ts";
import { communityBans } from "./community-moderation/bans.ts";
import { communityCases } from "./community-moderation/cases.ts";
import { communityPins } from "./community-moderation/pins.ts";
import { communityRemovals } from "./community-moderation/removals.ts";
import { creatorPage } from "./creators/creator.ts";
import { creatorSearch } from "./creators/search.ts";
import { digest } from "./digest/digest.ts";
import { notificationStream } from "./event-stream/stream.ts";
import { imports } from "./imports/imports.ts";
import { activity } from "./keys/activity.ts";
import { agentRequests } from "./keys/agent-requests.ts";
import { agents } from "./keys/agents.ts";
import { console } from "./keys/console.ts";
import { keys } from "./keys/keys.ts";
import { ownKey } from "./keys/own-key.ts";
import { undo } from "./keys/undo.ts";
import { live } from "./live/live.ts";
import { mentionSuggestions } from "./mentions/suggestions.ts";
import { messages } from "./messages/messages.ts";
import { accounts } from "./moderation/accounts.ts";
import { auditAndSettings } from "./moderation/audit-and-settings.ts";
import { cases } from "./moderation/cases.ts";
import { decisions } from "./moderation/decisions.ts";
import { deniedLinks } from "./moderation/denied-links.ts";
import { pictureRemovals } from "./moderation/picture-removals.ts";
import { removals } from "./moderation/removals.ts";
import { reports } from "./moderation/reports.ts";
import { sitePages } from "./moderation/site-pages.ts";
import { suspensions } from "./moderation/suspensions.ts";
import { notifications } from "./notifications/notifications.ts";
import { notificationPreferences } from "./notifications/preferences.ts";
import { authorizationRequests } from "./oauth/authorization-requests.ts";
import { originComments } from "./origin-comments/origin-comments.ts";
import { blocks } from "./people/blocks.ts";
import { follows } from "./people/follows.ts";
import { friends } from "./people/friends.ts";
import { lists } from "./people/lists.ts";
import { mutes } from "./people/mutes.ts";
import { friendRequests } from "./people/requests.ts";
import { collections } from "./posts/collections.ts";
import { dismissals } from "./posts/dismissals.ts";
import { feed } from "./posts/feed.ts";
import { postLikes } from "./posts/likes.ts";
import { pins } from "./posts/pins.ts";
import { polls } from "./posts/polls.ts";
import { quoteLists } from "./posts/quote-lists.ts";
import { repostLists } from "./posts/repost-lists.ts";
import { reposts } from "./posts/reposts.ts";
import { savedSearches } from "./posts/saved-searches.ts";
import { saves } from "./posts/saves.ts";
import { story } from "./posts/story.ts";
import { postVersions } from "./posts/versions.ts";
import { views } from "./posts/views.ts";
import { profilePictures } from "./profile/pictures.ts";
import { profile } from "./profile/profile.ts";
import { drafts } from "./publishing/drafts.ts";
import { posts } from "./publishing/posts.ts";
import { attachments } from "./shop/attachments.ts";
import { clicks } from "./shop/clicks.ts";
import { products } from "./shop/products.ts";
import { similarPosts } from "./similar/similar-posts.ts";
import { importing } from "./sources/import.ts";
import { sources } from "./sources/sources.ts";
import { suggestions } from "./sources/suggestions.ts";
import { followedTags } from "./tags/followed-tags.ts";
import { tags } from "./tags/tags.ts";
import { transparency } from "./transparency/transparency.ts";
import { receipts } from "./transparency-log/receipts.ts";
import { deliveries } from "./webhooks/deliveries.ts";
import { pushSubscriptions } from "./webhooks/push-subscriptions.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** The handler of every operation in the contract. Leaving one out is a type error. */
export const handlers = {
  ...registration,
  ...invitations,
  ...signUpRequests,
  ...passwords,
  ...sessions,
  ...providers,
  ...profile,
  ...preferences,
  ...digest,
  ...similarPosts,
  ...checklist,
  ...security,
  ...access,
  ...sessionList,
  ...newPassword,
  ...email,
  ...secondFactor,
  ...parkedSessions,
  ...passkeys,
  ...proveIdentity,
  ...dataExports,
  ...imports,
  ...accountRemoval,
  ...profilePictures,
  ...feed,
  ...posts,
  ...postVersions,
  ...receipts,
  ...story,
  ...postLikes,
  ...pins,
  ...quoteLists,
  ...polls,
  ...reposts,
  ...repostLists,
  ...saves,
  ...collections,
  ...savedSearches,
  ...views,
  ...dismissals,
  ...comments,
  ...readComments,
  ...commentVersions,
  ...commentLikes,
  ...originComments,
  ...communities,
  ...followedCommunities,
  ...communityBans,
  ...communityCases,
  ...communityPins,
  ...communityRemovals,
  ...communityPictures,
  ...membership,
  ...members,
  ...creatorSearch,
  ...creatorPage,
  ...follows,
  ...mutes,
  ...lists,
  ...tags,
  ...followedTags,
  ...mentionSuggestions,
  ...analytics,
  ...notifications,
  ...messages,
  ...friends,
  ...friendRequests,
  ...blocks,
  ...notificationPreferences,
  ...notificationStream,
  ...webhooks,
  ...pushSubscriptions,
  ...deliveries,
  ...products,
  ...attachments,
  ...clicks,
  ...live,
  ...importing,
  ...sources,
  ...suggestions,
  ...keys,
  ...authorizationRequests,
  ...ownKey,
  ...agents,
  ...agentRequests,
  ...console,
  ...activity,
  ...undo,
  ...drafts,
  ...reports,
  ...cases,
  ...pictureRemovals,
  ...removals,
  ...suspensions,
  ...decisions,
  ...accounts,
  ...deniedLinks,
  ...sitePages,
  ...auditAndSettings,
  ...transparency,
} satisfies Handlers<OperationName>;
