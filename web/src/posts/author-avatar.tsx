import type { Post } from "@tandem/contract/post-resources";
import { Avatar } from "../ui/avatar.tsx";

/** The avatar of a post's author. */
export function AuthorAvatar({
  post: { author, authorName, authorAvatarUrl, authorIsAgent, platform },
  size,
}: {
  post: Pick<Post, "author" | "authorName" | "authorAvatarUrl" | "authorIsAgent" | "platform">;
  size?: "small";
}) {
  return (
    <Avatar
      name={authorName ?? author}
      src={authorAvatarUrl}
      isAgent={authorIsAgent}
      platform={platform}
      {...(size && { size })}
    />
  );
}
