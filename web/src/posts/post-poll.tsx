import type { Post } from "@tandem/contract/post-resources";
import { lazyComponent } from "../ui/lazy-component.tsx";

const Poll = lazyComponent(() => import("./poll.tsx"));

/** A post's poll, if it has one. The part to vote with is loaded when a poll is shown: few pages have one. */
export function PostPoll({ post }: { post: Post }) {
  const options = pollOptions(post);
  return options && <Poll post={post} fallback={options} />;
}

/** The options of a poll as text, if there is one. */
export function pollOptions({ poll }: Pick<Post, "poll">) {
  return poll?.options.map((text) => (
    <p key={text} className="theirs rounded-xl border px-3.5 py-3">
      {text}
    </p>
  ));
}
