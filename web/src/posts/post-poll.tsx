import type { Post } from "@tandem/contract/post-resources";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { OptionShares } from "./option-shares.tsx";

const Poll = lazyComponent(() => import("./poll.tsx"));

/**
 * A post's poll, if it has one. The part to vote with is loaded when a poll is shown: few pages have one. Who has no script can't vote, and
 * so sees how it stands.
 */
export function PostPoll({ post }: { post: Post }) {
  const { poll, pollResults } = post;
  const options = poll?.options.map((text, position) => (
    <div key={text} className="rounded-xl border px-3.5 py-3">
      <p className="theirs">{text}</p>
      {pollResults && (
        <noscript>
          <OptionShares results={pollResults} position={position} />
        </noscript>
      )}
    </div>
  ));
  return options && <Poll post={post} fallback={options} />;
}
