import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../data/agents.ts";
import { joinedQuery } from "../../data/communities.ts";
import { draftQuery, draftsOf, draftsQuery } from "../../data/drafts.ts";
import { meQuery } from "../../data/me.ts";
import { postQuery } from "../../data/posts.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useParams, useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { SkeletonCards } from "../../ui/states.tsx";
import { Compose as ComposePage } from "./compose.tsx";
import { Drafts as DraftsPage } from "./drafts.tsx";
import { EditPost } from "./edit.tsx";
import { EditDraft } from "./edit-draft.tsx";

const parseId = (text: string | undefined) => Number(text);

export const Compose = page({
  load: ({ api, i18n, queryClient, search: { draft, community } }) =>
    Promise.all([
      draft && queryClient.ensureQueryData(draftQuery(api, parseId(draft))),
      // Its policy decides what has to be declared.
      (draft || community) && queryClient.ensureQueryData(joinedQuery(api)),
      addTexts(i18n, "communities"),
    ]),
  head: ({ i18n }) => ({ title: i18n._("composer.new"), unlisted: true }),
  View: () => {
    const { draft } = useSearch();
    return draft ? <EditDraft key={draft} id={parseId(draft)} /> : <ComposePage />;
  },
});

export const Edit = page({
  load: ({ api, queryClient, params }) => queryClient.ensureQueryData(postQuery(api, parseId(params.id))),
  head: ({ i18n }) => ({ title: i18n._("composer.edit"), unlisted: true }),
  View: () => {
    const { id } = useParams();
    const { data: post } = useQuery(postQuery(useApi(), parseId(id)));
    return post ? <EditPost key={post.id} post={post} /> : <SkeletonCards count={1} />;
  },
});

export const Drafts = page({
  load: async ({ api, queryClient }) => {
    const [me, drafts] = await Promise.all([
      queryClient.ensureQueryData(meQuery(api)),
      queryClient.ensureInfiniteQueryData(draftsQuery(api)),
    ]);
    // The names of those who ask for approval.
    if (draftsOf(drafts).some(({ author }) => author !== me?.username))
      await queryClient.ensureQueryData(agentsQuery(api));
  },
  head: ({ i18n }) => ({ title: i18n._("composer.drafts"), unlisted: true }),
  View: DraftsPage,
});
