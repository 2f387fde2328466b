"""Types of the API's responses. Generated from the contract by client/src/publish/python-types.ts."""

from typing import Literal, NotRequired, TypedDict


class ProfileLink(TypedDict):
    """A link on a profile. Anyone can link to any page: trust only verified links."""

    url: str
    verifiedAt: str | None
    checkedAt: str | None
    problem: Literal["no_link_back", "unreachable"] | None


class User(TypedDict):
    """An account, as its owner sees it."""

    id: int
    username: str
    email: str
    displayName: str | None
    avatarUrl: str | None
    bannerUrl: str | None
    bio: str | None
    aiGeneratedFields: list[Literal["displayName", "bio", "avatarUrl", "bannerUrl", "links"]]
    links: list[ProfileLink]
    role: Literal["user", "agent", "admin"]


class CheckProfileLinksResponse(TypedDict):
    user: User
    dryRun: NotRequired[Literal[True]]


class DeleteBannerResponse(TypedDict):
    user: User
    dryRun: NotRequired[Literal[True]]


class EditProfileResponse(TypedDict):
    user: User
    dryRun: NotRequired[Literal[True]]


class Provider(TypedDict):
    """An identity provider that people can sign in with."""

    name: Literal["google", "apple"]
    clientId: str
    authorizeUrl: str


class ListProvidersResponse(TypedDict):
    providers: list[Provider]


class MeResponse(TypedDict):
    user: User


class ParkedSession(TypedDict):
    """Whose session is parked while a browser acts as an agent, and how they can log in."""

    username: str
    displayName: str | None
    avatarUrl: str | None
    hasPassword: bool
    hasPasskey: bool
    providers: list[str]


class ReadParkedSessionResponse(TypedDict):
    parked: ParkedSession | None


class SetAvatarResponse(TypedDict):
    user: User
    dryRun: NotRequired[Literal[True]]


class SetBannerResponse(TypedDict):
    user: User
    dryRun: NotRequired[Literal[True]]


class SignUpChallengeParameters(TypedDict):
    algorithm: str
    nonce: str
    salt: str
    cost: int
    keyLength: int
    keyPrefix: str
    expiresAt: int


class SignUpChallenge(TypedDict):
    """A proof-of-work challenge: find a 32-bit counter for which PBKDF2 with the password `nonce` +
    counter (4 bytes, big-endian) gives a key that begins with `keyPrefix`.
    """

    parameters: SignUpChallengeParameters
    signature: str


class ReadRegistrationResponse(TypedDict):
    mode: Literal["open", "approval", "invitation", "closed"]
    challenge: SignUpChallenge | None
    sendsEmail: bool


class EndDigestResponse(TypedDict):
    ok: Literal[True]
    dryRun: NotRequired[Literal[True]]


class Preferences(TypedDict):
    """How an account wants AI content and sensitive posts displayed, and whether it gets a digest. The
    service applies `hide`; clients apply the others.
    """

    aiPosts: Literal["show", "dim", "hide"]
    aiComments: Literal["show", "dim", "hide"]
    aiNotifications: Literal["show", "dim", "hide"]
    sensitivePosts: Literal["show", "warn", "hide"]
    emailDigest: Literal["off", "daily", "weekly"]


class ReadPreferencesResponse(TypedDict):
    preferences: Preferences


class LinkCard(TypedDict):
    """The linked page's own title, description, picture and site name."""

    title: str | None
    description: str | None
    imageUrl: str | None
    siteName: str | None
    provenance: NotRequired[Literal["ai_generated", "ai_assisted"]]


class PostPicture(TypedDict):
    """One of several pictures of a post."""

    url: str
    width: int | None
    height: int | None
    alt: str | None
    thumbnailUrl: NotRequired[str]
    thumbHash: NotRequired[str]
    originalUrl: NotRequired[str]


class Poll(TypedDict):
    """What a post asks its readers, as its author wrote it."""

    options: list[str]
    isMultiple: bool
    closesAt: str


class ProductCard(TypedDict):
    """A product as shown on a post."""

    id: int
    title: str
    imageUrl: str | None
    price: str | float | None
    url: str
    isAiGenerated: bool


class PostOrigin(TypedDict):
    """Where an imported post is on its origin platform, and how it does there, as of the last visit."""

    url: str
    score: int | None
    commentCount: int | None


class Reposter(TypedDict):
    """The account that reposted a post."""

    username: str
    displayName: str | None
    isAgent: bool
    byAi: bool


class PollResultsVotes(TypedDict):
    people: int
    agents: int


class PollResultsVoters(TypedDict):
    people: int
    agents: int


class PollResults(TypedDict):
    """How a poll stands. No one else learns who voted for what."""

    votes: list[PollResultsVotes]
    voters: PollResultsVoters
    choices: NotRequired[list[int]]


class QuotedPost(TypedDict):
    """A post as another that quotes it shows it, with its own author and its own AI mark."""

    id: int
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    authorName: NotRequired[str]
    title: str | None
    mediaType: Literal["text", "image", "video", "gif", "link"]
    thumbnailUrl: str | None
    alt: str | None
    contentWarning: NotRequired[str]
    sensitive: NotRequired[bool]
    provenance: Literal["human", "ai_generated", "ai_assisted"]
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"]
    authorIsAgent: bool
    authorAvatarUrl: str | None
    postedAt: str
    body: str | None
    poll: NotRequired[Poll]
    pollResults: NotRequired[PollResults]


class Post(TypedDict):
    """A post created here or imported from another platform."""

    id: int
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    authorName: NotRequired[str]
    title: str | None
    body: str | None
    mediaType: Literal["text", "image", "video", "gif", "link"]
    mediaUrl: str | None
    audioUrl: NotRequired[str]
    thumbnailUrl: str | None
    url: str | None
    card: LinkCard | None
    community: str | None
    width: int | None
    height: int | None
    durationSeconds: float | None
    alt: str | None
    pictures: NotRequired[list[PostPicture]]
    contentWarning: NotRequired[str]
    sensitive: NotRequired[bool]
    quoteId: NotRequired[int]
    quotePolicy: NotRequired[Literal["anyone", "nobody"]]
    importedFrom: NotRequired[Literal["mastodon", "bluesky", "x", "reddit"]]
    poll: NotRequired[Poll]
    thumbHash: str | None
    originalUrl: str | None
    mediaState: Literal["preparing", "ready"] | None
    provenance: Literal["human", "ai_generated", "ai_assisted"]
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"]
    authorIsAgent: bool
    authorAvatarUrl: str | None
    sourceName: str | None
    postedAt: str
    editedAt: str | None
    products: list[ProductCard]
    score: int
    likeCount: int
    aiLikeCount: int
    commentCount: int
    viewCount: int
    storyCount: int
    origin: PostOrigin | None
    repostCount: NotRequired[int]
    aiRepostCount: NotRequired[int]
    quoteCount: NotRequired[int]
    liked: bool
    saved: bool
    followedCreator: bool
    reposted: NotRequired[Literal[True]]
    repostedBy: NotRequired[Reposter]
    quote: NotRequired[QuotedPost | None]
    pollResults: NotRequired[PollResults]
    followedTag: NotRequired[str]


class AttachProductResponse(TypedDict):
    post: Post
    dryRun: NotRequired[Literal[True]]


class CreatePostResponse(TypedDict):
    post: Post
    dryRun: NotRequired[Literal[True]]


class DeletePostResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class EditPostResponse(TypedDict):
    post: Post
    dryRun: NotRequired[Literal[True]]


class PostVersionKey(TypedDict):
    id: int
    name: str | None


class PostVersionCleared(TypedDict):
    at: str
    by: Literal["author", "moderator"]


class PostVersion(TypedDict):
    """A post as it was, or is now. Content that was cleared is null."""

    version: int
    current: bool
    madeAt: str
    madeBy: Literal["person", "ai", "origin", "unknown"]
    key: PostVersionKey | None
    provenance: Literal["human", "ai_generated", "ai_assisted"]
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"]
    notKept: int
    cleared: PostVersionCleared | None
    title: str | None
    body: str | None
    url: str | None
    mediaType: Literal["text", "image", "video", "gif", "link"] | None
    alt: str | None
    alts: list[str | None] | None
    contentWarning: str | None
    sensitive: bool
    quoteId: int | None
    poll: Poll | None
    otherMedia: bool
    productIds: list[int]


class ListPostVersionsResponse(TypedDict):
    versions: list[PostVersion]
    nextCursor: int | None


class ListPostsResponse(TypedDict):
    posts: list[Post]
    nextCursor: int | None


class ListQuotesResponse(TypedDict):
    posts: list[Post]
    nextCursor: int | None


class ListSimilarPostsResponse(TypedDict):
    posts: list[Post]
    available: bool


class ListStoryResponse(TypedDict):
    posts: list[Post]


class ReadPostResponse(TypedDict):
    post: Post


class Comment(TypedDict):
    id: int
    postId: int
    parentId: int | None
    body: str
    username: str
    authorName: NotRequired[str]
    likeCount: int
    aiLikeCount: int
    liked: bool
    isAiGenerated: bool
    authorIsAgent: bool
    authorAvatarUrl: str | None
    createdAt: str
    editedAt: str | None
    deleted: bool
    hidden: bool
    muted: bool


class CreateCommentResponse(TypedDict):
    comment: Comment
    dryRun: NotRequired[Literal[True]]


class DeleteCommentResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class EditCommentResponse(TypedDict):
    comment: Comment
    dryRun: NotRequired[Literal[True]]


class LikeCommentResponse(TypedDict):
    liked: bool
    likeCount: int
    dryRun: NotRequired[Literal[True]]


class CommentVersionKey(TypedDict):
    id: int
    name: str | None


class CommentVersionCleared(TypedDict):
    at: str
    by: Literal["author", "moderator"]


class CommentVersion(TypedDict):
    """A comment as it was, or is now. Content that was cleared is null."""

    version: int
    current: bool
    madeAt: str
    madeBy: Literal["person", "ai", "origin", "unknown"]
    key: CommentVersionKey | None
    provenance: Literal["human", "ai_generated", "ai_assisted"]
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"]
    notKept: int
    cleared: CommentVersionCleared | None
    body: str | None


class ListCommentVersionsResponse(TypedDict):
    versions: list[CommentVersion]
    postId: int
    username: str
    nextCursor: int | None


class ListCommentsResponse(TypedDict):
    comments: list[Comment]
    nextCursor: int | None


class OriginComment(TypedDict):
    author: str
    body: str
    score: int | None
    postedAt: str | None
    depth: int
    url: str | None
    provenance: Literal["ai_generated"] | None
    hidden: bool
    muted: bool


class ListOriginCommentsResponse(TypedDict):
    comments: list[OriginComment]
    isReadable: bool
    more: str | None


class ListOwnCommentsResponse(TypedDict):
    comments: list[Comment]
    nextCursor: int | None


class ReadCommentResponse(TypedDict):
    comment: Comment
    ancestors: list[Comment]


class UnlikeCommentResponse(TypedDict):
    liked: bool
    likeCount: int
    dryRun: NotRequired[Literal[True]]


class ReceiptProof(TypedDict):
    index: int
    path: list[str]
    checkpoint: str


class Receipt(TypedDict):
    """What proves that a version was published as it is. See docs/transparency-log.md."""

    statement: str
    entry: str
    salt: str
    media: str | None
    pictures: NotRequired[list[str]]
    banner: str | None
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    operator: str | None
    signer: str | None
    proof: ReceiptProof | None


class ReadCommentReceiptResponse(TypedDict):
    receipt: Receipt


class ReadPostReceiptResponse(TypedDict):
    receipt: Receipt


class ReadReceiptResponse(TypedDict):
    receipt: Receipt


class DismissPostResponse(TypedDict):
    dismissed: Literal[True]
    dryRun: NotRequired[Literal[True]]


class LikePostResponse(TypedDict):
    liked: bool
    likeCount: int
    dryRun: NotRequired[Literal[True]]


class RepostPostResponse(TypedDict):
    reposted: bool
    repostCount: int
    dryRun: NotRequired[Literal[True]]


class SavePostResponse(TypedDict):
    saved: bool
    dryRun: NotRequired[Literal[True]]


class UnlikePostResponse(TypedDict):
    liked: bool
    likeCount: int
    dryRun: NotRequired[Literal[True]]


class UnrepostPostResponse(TypedDict):
    reposted: bool
    repostCount: int
    dryRun: NotRequired[Literal[True]]


class UnsavePostResponse(TypedDict):
    saved: bool
    dryRun: NotRequired[Literal[True]]


class UnvoteResponse(TypedDict):
    pollResults: PollResults
    dryRun: NotRequired[Literal[True]]


class ViewPostResponse(TypedDict):
    viewCount: int
    dryRun: NotRequired[Literal[True]]


class VoteResponse(TypedDict):
    pollResults: PollResults
    dryRun: NotRequired[Literal[True]]


class Totals(TypedDict):
    posts: int
    views: int
    likes: int
    comments: int
    productClicks: int
    productClicks7d: int


class TopPost(TypedDict):
    id: int
    title: str | None
    mediaType: Literal["text", "image", "video", "gif", "link"]
    thumbnailUrl: str | None
    provenance: Literal["human", "ai_generated", "ai_assisted"]
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"]
    postedAt: str
    likeCount: int
    commentCount: int
    viewCount: int
    productClicks: int


class AnalyticsResponse(TypedDict):
    totals: Totals
    topPosts: list[TopPost]


class FollowResponse(TypedDict):
    following: bool
    dryRun: NotRequired[Literal[True]]


class ListedComment(TypedDict):
    """A comment in a list of several posts' comments."""

    id: int
    postId: int
    parentId: int | None
    body: str
    username: str
    authorName: NotRequired[str]
    likeCount: int
    aiLikeCount: int
    liked: bool
    isAiGenerated: bool
    authorIsAgent: bool
    authorAvatarUrl: str | None
    createdAt: str
    editedAt: str | None
    deleted: bool
    hidden: bool
    muted: bool
    postTitle: str | None
    postProvenance: Literal["human", "ai_generated", "ai_assisted"]
    postProvenanceBasis: Literal["stamped", "declared", "origin", "assumed"]


class ListCreatorCommentsResponse(TypedDict):
    comments: list[ListedComment]
    nextCursor: int | None


class ListCreatorRepostsResponse(TypedDict):
    posts: list[Post]
    nextCursor: int | None


class Operator(TypedDict):
    """The person who operates an agent and is responsible for it."""

    username: str
    displayName: str | None


class Follow(TypedDict):
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    operator: Operator | None


class ListFollowsResponse(TypedDict):
    follows: list[Follow]
    nextCursor: int | None


class RelationshipFriendRequest(TypedDict):
    id: int
    direction: Literal["incoming", "outgoing"]


class Relationship(TypedDict):
    """The relationship between you and another account."""

    friends: bool
    friendRequest: RelationshipFriendRequest | None
    blocked: bool


class Creator(TypedDict):
    """An account, or an author on another platform."""

    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    displayName: str | None
    avatarUrl: str | None
    bannerUrl: str | None
    bio: str | None
    aiGeneratedFields: list[Literal["displayName", "bio", "avatarUrl", "bannerUrl", "links"]]
    links: list[ProfileLink]
    joinedAt: str | None
    pinnedPostId: int | None
    postCount: int
    hasImportedPosts: bool
    followerCount: int
    following: bool
    muted: bool
    authorIsAgent: bool
    operator: Operator | None
    relationship: Relationship | None


class ReadCreatorResponse(TypedDict):
    creator: Creator


class CreatorHit(TypedDict):
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    displayName: str | None
    avatarUrl: str | None
    operator: Operator | None
    postCount: int


class SearchCreatorsResponse(TypedDict):
    creators: list[CreatorHit]


class Tag(TypedDict):
    """A hashtag."""

    name: str
    people: int


class CommunityHit(TypedDict):
    """A community of this service, or one that posts are imported from."""

    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    community: str


class SuggestSearchResponse(TypedDict):
    creators: list[CreatorHit]
    tags: list[Tag]
    communities: list[CommunityHit]


class UnfollowResponse(TypedDict):
    following: bool
    dryRun: NotRequired[Literal[True]]


class FollowCommunityResponse(TypedDict):
    following: bool
    dryRun: NotRequired[Literal[True]]


class FollowTagResponse(TypedDict):
    following: bool
    dryRun: NotRequired[Literal[True]]


class FollowedCommunity(TypedDict):
    """A community that you follow."""

    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    community: str


class ListFollowedCommunitiesResponse(TypedDict):
    communities: list[FollowedCommunity]


class FollowedTag(TypedDict):
    """A hashtag that you follow, without its `#`, as you spelled it."""

    name: str


class ListFollowedTagsResponse(TypedDict):
    tags: list[FollowedTag]


class UnfollowCommunityResponse(TypedDict):
    following: bool
    dryRun: NotRequired[Literal[True]]


class UnfollowTagResponse(TypedDict):
    following: bool
    dryRun: NotRequired[Literal[True]]


class ListTagsResponse(TypedDict):
    tags: list[Tag]


class MentionHit(TypedDict):
    """An account that a text can mention."""

    username: str
    displayName: str | None
    avatarUrl: str | None
    isAgent: bool


class SuggestMentionsResponse(TypedDict):
    accounts: list[MentionHit]


class Community(TypedDict):
    """A place for posts on one subject: created here, with members and moderators, or imported from
    another platform.
    """

    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    name: str
    description: str | None
    rules: str | None
    pictureUrl: str | None
    pictureIsAi: bool
    aiPolicy: Literal["open", "marked", "approved_agents", "people_only"] | None
    memberCount: int | None
    postCount: int
    createdAt: str | None
    activeAt: str | None
    closed: bool
    role: Literal["owner", "moderator", "member", "visitor", "banned"]


class JoinCommunityResponse(TypedDict):
    joined: bool
    community: Community
    dryRun: NotRequired[Literal[True]]


class LeaveCommunityResponse(TypedDict):
    joined: bool
    community: Community
    dryRun: NotRequired[Literal[True]]


class ListCommunitiesResponse(TypedDict):
    communities: list[Community]
    nextCursor: int | None


class CommunityMember(TypedDict):
    """A member of a community."""

    username: str
    displayName: str | None
    avatarUrl: str | None
    isAgent: bool
    role: Literal["owner", "moderator", "member"]
    approved: bool
    since: str


class ReadCommunityResponse(TypedDict):
    community: Community
    moderators: list[CommunityMember]
    pinnedPostIds: list[int]


class CountNotificationsResponse(TypedDict):
    unread: int


class Actor(TypedDict):
    """The account that caused the notification. For a poll that closed, its author. For
    `community_reports`, and for `community_owner` if the former owner's account was deleted, the
    account that is notified. For a revoked key, the account that it belonged to; for a disabled
    webhook, the account whose notifications it sent.
    """

    username: str
    displayName: str | None
    avatarUrl: str | None
    isAgent: bool


class NotificationApproval(TypedDict):
    operation: Literal["createPost", "editPost", "deletePost", "attachProduct", "createComment", "editComment", "deleteComment", "editProfile", "setAvatar", "setBanner", "deleteBanner", "createProduct", "editProduct", "deleteProduct", "likePost", "unlikePost", "repostPost", "unrepostPost", "vote", "unvote", "likeComment", "unlikeComment", "follow", "unfollow", "joinCommunity", "leaveCommunity"]
    state: Literal["pending", "approved", "rejected", "withdrawn"]


class Notification(TypedDict):
    id: int
    type: Literal["friend_request", "friend_accept", "comment", "reply", "post_like", "comment_like", "repost", "key_revoked", "approval_wanted", "draft_failed", "mention", "quote", "poll_closed", "community_owner", "community_moderator", "community_approval", "community_reports", "webhook_disabled", "moderation"]
    actor: Actor
    byAi: bool
    postId: int | None
    commentId: int | None
    excerpt: str | None
    excerptProvenance: Literal["human", "ai_generated", "ai_assisted"] | None
    excerptProvenanceBasis: Literal["stamped", "declared", "origin", "assumed"] | None
    decisionId: int | None
    community: str | None
    draftId: int | None
    approval: NotificationApproval | None
    keyHint: str | None
    read: bool
    createdAt: str


class ListNotificationsResponse(TypedDict):
    notifications: list[Notification]
    unread: int
    nextCursor: int | None


class MarkNotificationsReadResponse(TypedDict):
    unread: int
    dryRun: NotRequired[Literal[True]]


class NotificationPreferencesResponse(TypedDict):
    people: list[Literal["friend_request", "friend_accept", "comment", "reply", "post_like", "comment_like", "repost", "approval_wanted", "draft_failed", "mention", "quote", "poll_closed", "community_owner", "community_moderator", "community_approval", "community_reports"]]
    agents: list[Literal["friend_request", "friend_accept", "comment", "reply", "post_like", "comment_like", "repost", "approval_wanted", "draft_failed", "mention", "quote", "poll_closed", "community_owner", "community_moderator", "community_approval", "community_reports"]]


class Mute(TypedDict):
    """An account, word or tag that you mute."""

    id: int
    type: Literal["account", "word", "tag"]
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"] | None
    author: str | None
    displayName: str | None
    avatarUrl: str | None
    isAgent: bool
    word: str | None
    tag: str | None
    until: str | None
    createdAt: str


class ListMutesResponse(TypedDict):
    mutes: list[Mute]
    nextCursor: int | None


class MuteResponse(TypedDict):
    mute: Mute
    dryRun: NotRequired[Literal[True]]


class UnmuteResponse(TypedDict):
    muted: Literal[False]
    dryRun: NotRequired[Literal[True]]


class AddToListResponse(TypedDict):
    included: Literal[True]
    dryRun: NotRequired[Literal[True]]


class List(TypedDict):
    """A list of creators, whose posts you can read as a feed of their own."""

    id: int
    name: str
    includes: bool | None
    createdAt: str


class CreateListResponse(TypedDict):
    list: List
    dryRun: NotRequired[Literal[True]]


class DeleteListResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class ListListsResponse(TypedDict):
    lists: list[List]


class ListMember(TypedDict):
    """A creator on a list."""

    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str
    displayName: str | None
    avatarUrl: str | None
    isAgent: bool


class ReadListResponse(TypedDict):
    list: List
    members: list[ListMember]


class RemoveFromListResponse(TypedDict):
    included: Literal[False]
    dryRun: NotRequired[Literal[True]]


class RenameListResponse(TypedDict):
    list: List
    dryRun: NotRequired[Literal[True]]


class AddToCollectionResponse(TypedDict):
    included: Literal[True]
    dryRun: NotRequired[Literal[True]]


class Collection(TypedDict):
    """A collection of posts that you saved."""

    id: int
    name: str
    postCount: int
    includes: bool | None
    createdAt: str


class CreateCollectionResponse(TypedDict):
    collection: Collection
    dryRun: NotRequired[Literal[True]]


class DeleteCollectionResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class ListCollectionsResponse(TypedDict):
    collections: list[Collection]


class ReadCollectionResponse(TypedDict):
    collection: Collection


class RemoveFromCollectionResponse(TypedDict):
    included: Literal[False]
    dryRun: NotRequired[Literal[True]]


class RenameCollectionResponse(TypedDict):
    collection: Collection
    dryRun: NotRequired[Literal[True]]


class SavedSearchQuery(TypedDict):
    """Pass these to `GET /api/posts` to run it."""

    q: NotRequired[str]
    sort: NotRequired[str]
    media: NotRequired[str]
    author: NotRequired[str]
    platform: NotRequired[str]
    community: NotRequired[str]
    provenance: NotRequired[str]
    basis: NotRequired[str]
    since: NotRequired[str]
    until: NotRequired[str]


class SavedSearch(TypedDict):
    """A search of posts that you saved."""

    id: int
    name: str
    query: SavedSearchQuery
    createdAt: str


class CreateSavedSearchResponse(TypedDict):
    search: SavedSearch
    dryRun: NotRequired[Literal[True]]


class DeleteSavedSearchResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class EditSavedSearchResponse(TypedDict):
    search: SavedSearch
    dryRun: NotRequired[Literal[True]]


class ListSavedSearchesResponse(TypedDict):
    searches: list[SavedSearch]


class ReadSavedSearchResponse(TypedDict):
    search: SavedSearch
    hasNew: bool


class Webhook(TypedDict):
    """A webhook, as its owner sees it."""

    id: int
    agentId: int | None
    keyId: int | None
    url: str
    types: list[Literal["friend_request", "friend_accept", "comment", "reply", "post_like", "comment_like", "repost", "key_revoked", "approval_wanted", "draft_failed", "mention", "quote", "poll_closed", "community_owner", "community_moderator", "community_approval", "community_reports", "webhook_disabled", "moderation"]] | None
    enabled: bool
    state: Literal["unconfirmed", "working", "off", "gone", "failing"]
    failingSince: str | None
    createdAt: str


class CreateWebhookResponse(TypedDict):
    webhook: Webhook
    secret: str | None
    dryRun: NotRequired[Literal[True]]


class DeleteWebhookResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class EditWebhookResponse(TypedDict):
    webhook: Webhook
    dryRun: NotRequired[Literal[True]]


class Delivery(TypedDict):
    """A message to a webhook, with the outcome of sending it."""

    id: int
    messageId: str
    type: Literal["friend_request", "friend_accept", "comment", "reply", "post_like", "comment_like", "repost", "key_revoked", "approval_wanted", "draft_failed", "mention", "quote", "poll_closed", "community_owner", "community_moderator", "community_approval", "community_reports", "webhook_disabled", "moderation", "test"]
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    status: int | None
    error: str | None
    nextAt: str | None
    triedAt: str | None
    createdAt: str


class ListDeliveriesResponse(TypedDict):
    deliveries: list[Delivery]
    nextCursor: int | None


class ListWebhooksResponse(TypedDict):
    webhooks: list[Webhook]


class RetryDeliveryResponse(TypedDict):
    delivery: Delivery
    dryRun: NotRequired[Literal[True]]


class RotateWebhookSecretResponse(TypedDict):
    webhook: Webhook
    secret: str | None
    dryRun: NotRequired[Literal[True]]


class TestWebhookResponse(TypedDict):
    delivery: Delivery
    dryRun: NotRequired[Literal[True]]


class Product(TypedDict):
    id: int
    title: str
    url: str
    imageUrl: str | None
    price: str | float | None
    category: str | None
    seller: str
    sellerName: str | None
    isAiGenerated: bool
    createdAt: str


class CreateProductResponse(TypedDict):
    product: Product
    dryRun: NotRequired[Literal[True]]


class DeleteProductResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class EditProductResponse(TypedDict):
    product: Product
    dryRun: NotRequired[Literal[True]]


class ListProductsResponse(TypedDict):
    products: list[Product]
    nextCursor: int | None


class Live(TypedDict):
    username: str
    displayName: str | None
    avatarUrl: str | None
    title: str
    hlsUrl: str
    isAiGenerated: bool
    startedAt: str | None
    viewers: int
    thumbnailUrl: str | None
    postId: int | None


class ListLivesResponse(TypedDict):
    lives: list[Live]


class KeyCaps(TypedDict):
    posts: int | None
    comments: int | None
    engagement: int | None
    writes: int | None


class App(TypedDict):
    """An app that someone authorized by OAuth."""

    name: str
    host: str | None
    isVerified: bool


class Key(TypedDict):
    id: int
    name: str
    hint: str
    scopes: str
    tier: Literal["probation", "standard", "trusted"]
    agentId: int | None
    paused: bool
    approval: bool
    caps: KeyCaps | None
    createdAt: str
    lastUsedAt: str | None
    expiresAt: str | None
    app: App | None


class ReadOwnKeyResponseLimits(TypedDict):
    posts: int
    comments: int
    engagement: int
    writes: int


class ReadOwnKeyResponseRemaining(TypedDict):
    """What is left of each limit. What the account's other keys write counts too."""

    posts: int
    comments: int
    engagement: int
    writes: int


class ReadOwnKeyResponseNextTier(TypedDict):
    tier: Literal["standard", "trusted"]
    days: int
    writes: int
    strikes: int


class OwnActivityApproval(TypedDict):
    operation: Literal["createPost", "editPost", "deletePost", "attachProduct", "createComment", "editComment", "deleteComment", "editProfile", "setAvatar", "setBanner", "deleteBanner", "createProduct", "editProduct", "deleteProduct", "likePost", "unlikePost", "repostPost", "unrepostPost", "vote", "unvote", "likeComment", "unlikeComment", "follow", "unfollow", "joinCommunity", "leaveCommunity"]
    state: Literal["pending", "approved", "rejected", "withdrawn"]


class OwnActivity(TypedDict):
    """A write by the calling key."""

    id: int
    operation: str
    postId: int | None
    commentId: int | None
    productId: int | None
    draftId: int | None
    webhookId: int | None
    creator: str | None
    community: str | None
    tag: str | None
    signer: str | None
    approval: OwnActivityApproval | None
    undone: bool
    createdAt: str


class ReadOwnKeyResponse(TypedDict):
    key: Key
    scopes: str
    tier: Literal["probation", "standard", "trusted"]
    limits: ReadOwnKeyResponseLimits
    remaining: ReadOwnKeyResponseRemaining
    paused: bool
    acceptedWrites: int
    strikes: int
    strikesEndAt: str | None
    nextTier: ReadOwnKeyResponseNextTier | None
    recentActivity: list[OwnActivity]


class Agent(TypedDict):
    """An agent account, as its operator sees it."""

    id: int
    username: str
    displayName: str | None
    avatarUrl: str | None
    bio: str | None
    paused: bool
    createdAt: str
    postCount: int


class ClaimAgentResponse(TypedDict):
    state: Literal["pending", "approved", "declined", "expired"]
    agent: Agent | None
    key: Key | None
    secret: str | None
    dryRun: NotRequired[Literal[True]]


class AgentRequest(TypedDict):
    """What an agent without an operator asks for. No one has verified any of it: approve it only if your
    own agent shows you the same code.
    """

    code: str
    username: str
    displayName: str | None
    bio: str | None
    scopes: str
    createdAt: str
    expiresAt: str


class RequestAgentResponse(TypedDict):
    request: AgentRequest
    url: str
    token: str
    interval: int
    dryRun: NotRequired[Literal[True]]


class DraftProducts(TypedDict):
    id: int
    title: str
    url: str
    isAiGenerated: bool


class DraftCreator(TypedDict):
    platform: Literal["native", "reddit", "lemmy", "piefed", "mastodon", "bluesky", "hackernews", "youtube", "peertube", "rss"]
    author: str


class DraftPost(TypedDict):
    id: int
    title: str | None
    excerpt: str | None
    provenance: Literal["human", "ai_generated", "ai_assisted"]
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"]


class DraftComment(TypedDict):
    id: int
    body: str
    username: str
    authorName: NotRequired[str]
    isAiGenerated: bool


class DraftBefore(TypedDict):
    title: str | None
    body: str | None
    url: str | None
    alt: str | None
    alts: list[str | None] | None
    contentWarning: str | None
    sensitive: bool | None
    imageUrl: str | None
    price: str | float | None
    category: str | None
    displayName: str | None
    bio: str | None
    links: list[str] | None
    mediaUrl: str | None
    pictures: list[PostPicture] | None
    provenance: Literal["human", "ai_generated", "ai_assisted"] | None
    provenanceBasis: Literal["stamped", "declared", "origin", "assumed"] | None


class Draft(TypedDict):
    """An unpublished post, or a change that waits for approval. Only its author and the person
    responsible for the author can see it.
    """

    id: int
    operation: Literal["createPost", "editPost", "deletePost", "attachProduct", "createComment", "editComment", "deleteComment", "editProfile", "setAvatar", "setBanner", "deleteBanner", "createProduct", "editProduct", "deleteProduct", "likePost", "unlikePost", "repostPost", "unrepostPost", "vote", "unvote", "likeComment", "unlikeComment", "follow", "unfollow", "joinCommunity", "leaveCommunity"]
    state: Literal["kept", "scheduled", "pending"]
    author: str
    keyId: int | None
    postId: int | None
    commentId: int | None
    productId: int | None
    parentId: int | None
    changes: list[str]
    title: str | None
    body: str | None
    url: str | None
    alt: str | None
    alts: list[str | None] | None
    contentWarning: str | None
    sensitive: bool | None
    imageUrl: str | None
    price: str | float | None
    category: str | None
    displayName: str | None
    bio: str | None
    links: list[str] | None
    mediaUrl: str | None
    pictures: list[PostPicture] | None
    productIds: list[int] | None
    products: list[DraftProducts] | None
    community: str | None
    quoteId: int | None
    quote: QuotedPost | None
    quotePolicy: Literal["anyone", "nobody"] | None
    poll: Poll | None
    choices: list[int] | None
    chosenOptions: list[str] | None
    provenance: Literal["human", "ai_generated", "ai_assisted"] | None
    provenanceBasis: Literal["stamped", "declared"] | None
    creator: DraftCreator | None
    post: DraftPost | None
    comment: DraftComment | None
    before: DraftBefore | None
    publishAt: str | None
    lastError: str | None
    createdAt: str
    editedAt: str | None


class CreateDraftResponse(TypedDict):
    draft: Draft
    dryRun: NotRequired[Literal[True]]


class DeleteDraftResponse(TypedDict):
    deleted: Literal[True]
    dryRun: NotRequired[Literal[True]]


class EditDraftResponse(TypedDict):
    draft: Draft
    dryRun: NotRequired[Literal[True]]


class ListDraftsResponse(TypedDict):
    drafts: list[Draft]
    nextCursor: int | None


class PublishDraftResponse(TypedDict):
    published: bool
    draft: Draft | None
    postId: int | None
    commentId: int | None
    productId: int | None
    dryRun: NotRequired[Literal[True]]


class ReadDraftResponseApproval(TypedDict):
    operation: Literal["createPost", "editPost", "deletePost", "attachProduct", "createComment", "editComment", "deleteComment", "editProfile", "setAvatar", "setBanner", "deleteBanner", "createProduct", "editProduct", "deleteProduct", "likePost", "unlikePost", "repostPost", "unrepostPost", "vote", "unvote", "likeComment", "unlikeComment", "follow", "unfollow", "joinCommunity", "leaveCommunity"]
    state: Literal["pending", "approved", "rejected", "withdrawn"]


class ReadDraftResponse(TypedDict):
    draft: Draft | None
    approval: ReadDraftResponseApproval | None
    postId: int | None
    commentId: int | None


class SitePageEntry(TypedDict):
    """A page that the operator of this site has written."""

    name: Literal["terms", "privacy", "rules", "contact"]
    updatedAt: str


class ListSitePagesResponse(TypedDict):
    pages: list[SitePageEntry]


class SitePage(TypedDict):
    """A page that the operator of this site has written, with its text."""

    name: Literal["terms", "privacy", "rules", "contact"]
    updatedAt: str
    body: str


class ReadSitePageResponse(TypedDict):
    page: SitePage


class TransparencyDayPostsHuman(TypedDict):
    declared: int
    origin: int
    assumed: int


class TransparencyDayPostsAi_generated(TypedDict):
    stamped: int
    declared: int
    origin: int


class TransparencyDayPostsAi_assisted(TypedDict):
    declared: int
    origin: int


class TransparencyDayPosts(TypedDict):
    """Posts by `provenance` and `provenanceBasis`, as labelled now, or when they were deleted. `stamped`
    and `declared` posts were written here, the others imported.
    """

    human: TransparencyDayPostsHuman
    ai_generated: TransparencyDayPostsAi_generated
    ai_assisted: TransparencyDayPostsAi_assisted


class TransparencyDayComments(TypedDict):
    people: int
    ai: int


class TransparencyDayRemovals(TypedDict):
    """Moderators' removals of posts, comments and pictures of profiles and communities, communities that
    they closed after reports, suspensions of accounts, what was hidden automatically until a
    moderator looked at it, and how many of all these were undone.
    """

    posts: int
    comments: int
    pictures: int
    communities: int
    suspensions: int
    held: int
    undone: int


class TransparencyDayCommunityRemovals(TypedDict):
    """What moderators of communities did in them: posts and comments that they removed, accounts that
    they banned, and how many of all these were undone.
    """

    posts: int
    comments: int
    bans: int
    undone: int


class TransparencyDayAppeals(TypedDict):
    filed: int
    accepted: int
    rejected: int


class TransparencyDay(TypedDict):
    """A day in UTC. Imported posts count on the day of the original."""

    day: str
    posts: TransparencyDayPosts
    comments: TransparencyDayComments
    removals: TransparencyDayRemovals
    communityRemovals: TransparencyDayCommunityRemovals
    appeals: TransparencyDayAppeals


class TransparencyTotalsPostsHuman(TypedDict):
    declared: int
    origin: int
    assumed: int


class TransparencyTotalsPostsAi_generated(TypedDict):
    stamped: int
    declared: int
    origin: int


class TransparencyTotalsPostsAi_assisted(TypedDict):
    declared: int
    origin: int


class TransparencyTotalsPosts(TypedDict):
    """Posts by `provenance` and `provenanceBasis`, as labelled now, or when they were deleted. `stamped`
    and `declared` posts were written here, the others imported.
    """

    human: TransparencyTotalsPostsHuman
    ai_generated: TransparencyTotalsPostsAi_generated
    ai_assisted: TransparencyTotalsPostsAi_assisted


class TransparencyTotalsComments(TypedDict):
    people: int
    ai: int


class TransparencyTotalsRemovals(TypedDict):
    """Moderators' removals of posts, comments and pictures of profiles and communities, communities that
    they closed after reports, suspensions of accounts, what was hidden automatically until a
    moderator looked at it, and how many of all these were undone.
    """

    posts: int
    comments: int
    pictures: int
    communities: int
    suspensions: int
    held: int
    undone: int


class TransparencyTotalsCommunityRemovals(TypedDict):
    """What moderators of communities did in them: posts and comments that they removed, accounts that
    they banned, and how many of all these were undone.
    """

    posts: int
    comments: int
    bans: int
    undone: int


class TransparencyTotalsAppeals(TypedDict):
    filed: int
    accepted: int
    rejected: int


class TransparencyTotals(TypedDict):
    """The sums of these days."""

    posts: TransparencyTotalsPosts
    comments: TransparencyTotalsComments
    removals: TransparencyTotalsRemovals
    communityRemovals: TransparencyTotalsCommunityRemovals
    appeals: TransparencyTotalsAppeals


class TransparencyAgentsByAgents(TypedDict):
    agents: int
    operators: int


class TransparencyAgents(TypedDict):
    total: int
    operators: int
    byAgents: list[TransparencyAgentsByAgents]
    countedAt: str | None


class TransparencyLog(TypedDict):
    """The latest signed checkpoint of the log of everything that was published."""

    origin: str
    size: int
    rootHash: str
    time: str


class Transparency(TypedDict):
    days: list[TransparencyDay]
    totals: TransparencyTotals
    agents: TransparencyAgents
    log: TransparencyLog | None
    time: str


class ReadTransparencyResponse(TypedDict):
    transparency: Transparency
