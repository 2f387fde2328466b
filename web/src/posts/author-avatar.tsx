import type { Post } from "@tandem/contract/post-resources";
import { Avatar } from "../ui/avatar.tsx";

/** The avatar of a post's author. */
export function AuthorAvatar({
  post: { author, authorAvatarUrl, authorIsAgent, platform },
  size,
}: {
  post: Pick<Post, "author" | "authorAvatarUrl" | "authorIsAgent" | "platform">;
  size?: "small";
}) {
  return (
    <Avatar
      name={author}
      src={authorAvatarUrl}
      isAgent={authorIsAgent}
      platform={platform}
      {...(size && { size })}
    />
  );
}
