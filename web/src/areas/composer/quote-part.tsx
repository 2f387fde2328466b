import { plainText } from "@tandem/contract/markdown/plain";
import type { Post, QuotedPost } from "@tandem/contract/post-resources";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId } from "react";
import { postQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { excerpt } from "../../posts/post-name.ts";
import { NoQuote, QuoteCard } from "../../posts/quote-card.tsx";
import { useApi } from "../../shared/context.ts";
import { IconButton } from "../../ui/button.tsx";

/** The post that a new post quotes, by its id. */
export function NewQuote({ id, onRemove }: { id: number; onRemove(): void }) {
  const { data: post, isError } = useQuery({ ...postQuery(useApi(), id), retry: false });
  return <QuotePart quote={post ? quotedOf(post) : isError ? null : undefined} onRemove={onRemove} />;
}

/** The post that a new post or draft quotes: null if it is gone, undefined until it is loaded. */
export function QuotePart({
  quote,
  onRemove,
}: {
  quote: QuotedPost | null | undefined;
  onRemove?: () => void;
}) {
  const { t } = useText();
  const label = useId();
  return (
    <figure aria-labelledby={label} className="flex flex-col gap-1.5">
      <div className="flex items-center">
        <p id={label} className="flex-1 text-sm font-semibold text-soft">
          {t("composer.quote")}
        </p>
        {onRemove && (
          <IconButton label={t("composer.removeQuote")} className="-my-2 -me-2" onClick={onRemove}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {quote ? <QuoteCard quote={quote} /> : quote === null ? <NoQuote /> : <Placeholder />}
    </figure>
  );
}

const Placeholder = () => <div className="h-24 rounded-xl border bg-sunken" />;

/** As the service shows it in the post. */
function quotedOf(post: Post): QuotedPost {
  const { body, platform } = post;
  const text = body && platform === "native" ? plainText(body) : body;
  return { ...post, body: text && excerpt(text, 300) };
}
