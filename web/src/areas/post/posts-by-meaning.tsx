import type { Post } from "@tandem/contract/post-resources";
import { useQuery } from "@tanstack/react-query";
import { similarQuery } from "../../data/similar.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostRow } from "../../posts/post-row.tsx";
import { useApi } from "../../shared/context.ts";
import { useNearViewport } from "../../ui/use-near-viewport.ts";

/** What the aside has on wide screens: posts that mean something similar, below the comments. */
export function PostsByMeaning({ post: { id } }: { post: Post }) {
  const { t } = useText();
  const [ref, isNear] = useNearViewport<HTMLDivElement>();
  const { data = [] } = useQuery({ ...similarQuery(useApi(), { postId: id }), enabled: isNear });
  return (
    <div ref={ref} className="wide:hidden">
      {data.length > 0 && (
        <section aria-labelledby="similar" className="card-flush mt-6 p-4">
          <h2 id="similar" className="mb-2 px-2 font-semibold">
            {t("thread.similar")}
          </h2>
          <ul>
            {data.map((one) => (
              <PostRow key={one.id} post={one} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
