import { nativePlatform } from "@tandem/contract/origins";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { postQuery } from "../../data/posts.ts";
import { type VersionedKind, versionsQuery } from "../../data/versions.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams, useSearch } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { cursorIn, History } from "./history.tsx";

const parseId = ({ id }: { id?: string | undefined }) => Number(id);

const head = ({ i18n }: PageRequest) => ({ title: i18n._("versions.title"), unlisted: true });

const loadVersions = ({ api, i18n, queryClient, params, search }: PageRequest, kind: VersionedKind) =>
  Promise.all([
    // Of the aside.
    addTexts(i18n, "post"),
    queryClient.ensureInfiniteQueryData(versionsQuery(api, kind, parseId(params), cursorIn(search))),
  ]);

export const PostVersions = page({
  load: (request) =>
    Promise.all([
      request.queryClient.ensureQueryData(postQuery(request.api, parseId(request.params))),
      loadVersions(request, "post"),
    ]),
  head,
  View: () => {
    const { t } = useText();
    const id = parseId(useParams());
    const { data: post } = useQuery(postQuery(useApi(), id));
    const author = post?.platform === nativePlatform ? post.author : null;
    return (
      <History
        kind="post"
        id={id}
        postId={id}
        author={author}
        warnings={post}
        back={{ to: postAddress(id), text: t("versions.toPost") }}
      />
    );
  },
});

export const CommentVersions = page({
  load: (request) => loadVersions(request, "comment"),
  head,
  View: () => {
    const { t } = useText();
    const id = parseId(useParams());
    const cursor = cursorIn(useSearch());
    const { data } = useInfiniteQuery(versionsQuery(useApi(), "comment", id, cursor));
    const { postId, username = null } = data?.pages[0] ?? {};
    const to = postId === undefined ? "/" : postAddress(postId);
    const back = { to, hash: `comment-${id}`, text: t("versions.toComment") };
    return <History kind="comment" id={id} postId={postId} author={username} back={back} />;
  },
});
