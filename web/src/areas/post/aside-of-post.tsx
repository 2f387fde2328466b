import { useQuery } from "@tanstack/react-query";
import { postQuery } from "../../data/posts.ts";
import { useApi } from "../../shared/context.ts";
import PostAside from "./post-aside.tsx";

/** What is next to a post, for pages about it. Nothing if the post is gone. */
export default function AsideOfPost({ id }: { id: number }) {
  const { data: post } = useQuery(postQuery(useApi(), id));
  return post && <PostAside post={post} />;
}
