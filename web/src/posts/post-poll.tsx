import type { Post } from "@tandem/contract/post-resources";
import { lazyComponent } from "../ui/lazy-component.tsx";

const Poll = lazyComponent(() => import("./poll.tsx"));

/** A post's poll, if it has one. The part to vote with is loaded when a poll is shown: few pages have one. */
export function PostPoll({ post }: { post: Post }) {
  if (!post.poll) return null;
  return <Poll post={post} fallback={<Options options={post.poll.options} />} />;
}

/** About as high as the options will be. */
function Options({ options }: { options: readonly string[] }) {
  return (
    <div className="flex flex-col gap-2 pb-11">
      {options.map((text) => (
        <p key={text} className="theirs min-h-11 rounded-xl border px-3.5 py-2.5">
          {text}
        </p>
      ))}
    </div>
  );
}
