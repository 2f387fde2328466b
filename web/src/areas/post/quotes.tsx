import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { useParams, useSearch } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { WithAside } from "../../ui/aside.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { EmptyState, PageTitle } from "../../ui/states.tsx";
import { quoteFilters } from "./quote-filters.ts";

const PostAside = lazyComponent(() => import("./aside-of-post.tsx"));

/** The posts that quote a post. */
export function QuotesView() {
  const { t } = useText();
  const { id = "" } = useParams();
  const filters = quoteFilters(Number(id), useSearch());
  return (
    <WithAside aside={<PostAside id={Number(id)} />}>
      <div>
        <BackLink to={postAddress(Number(id))}>{t("thread.quotesBack")}</BackLink>
        <PageTitle>{t("thread.quotes")}</PageTitle>
        <PostList
          key={JSON.stringify(filters)}
          filters={filters}
          label={t("thread.quotes")}
          empty={<EmptyState title={t("thread.noQuotes")} drawing="messages" />}
        />
      </div>
    </WithAside>
  );
}
