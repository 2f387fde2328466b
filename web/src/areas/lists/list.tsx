import type { ListMember, List as Shown } from "@tandem/contract/lists";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { applyMembership, invalidateLists, listQuery } from "../../data/lists.ts";
import { feedQuery } from "../../data/posts.ts";
import { useAction } from "../../data/use-action.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { useNavigate, useParams } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullNameOf } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { PeopleAside } from "../../ui/people-aside.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { RenameDialog } from "../../ui/rename-dialog.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";

const idFrom = ({ id = "" }: Record<string, string | undefined>) => Number(id);

export const List = page({
  load: ({ api, i18n, queryClient, params }) =>
    Promise.all([
      // Of the aside.
      addTexts(i18n, "people"),
      queryClient.ensureQueryData(listQuery(api, idFrom(params))),
      queryClient.ensureInfiniteQueryData(feedQuery(api, { listId: idFrom(params) })),
    ]),
  head: ({ i18n }) => ({ title: i18n._("lists.title"), unlisted: true }),
  View: ListView,
});

function ListView() {
  const { t } = useText();
  const id = idFrom(useParams());
  const { data } = useQuery(listQuery(useApi(), id));
  if (!data) return <SkeletonCards />;
  const { list, members } = data;
  return (
    <WithAside aside={<PeopleAside />}>
      <div>
        <PageTitle actions={<ListActions key={list.name} list={list} />}>
          <span className="theirs break-words">{list.name}</span>
        </PageTitle>
        {members.length === 0 ? (
          <EmptyState
            drawing="people"
            title={t("lists.empty")}
            action={
              <ButtonLink to="/creators" variant="primary">
                {t("lists.find")}
              </ButtonLink>
            }
          >
            {t("lists.emptyDescription")}
          </EmptyState>
        ) : (
          <>
            <Members id={id} members={members} />
            <PostList
              filters={{ listId: id }}
              label={list.name}
              empty={<EmptyState title={t("lists.noPosts")} />}
            />
          </>
        )}
      </div>
    </WithAside>
  );
}

function Members({ id, members }: { id: number; members: readonly ListMember[] }) {
  const { t } = useText();
  const sorted = members.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return (
    <details className="px-4 pb-4 sm:px-0">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">
        {t("lists.members", { count: members.length })}
      </summary>
      <CardList label={t("lists.members", { count: members.length })}>
        {sorted.map((member) => (
          <Member key={`${member.platform}/${member.author}`} id={id} member={member} />
        ))}
      </CardList>
    </details>
  );
}

const nameOf = ({ displayName, author }: ListMember) => displayName ?? author;

function Member({ id, member }: { id: number; member: ListMember }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { platform, author, avatarUrl, isAgent } = member;
  const name = nameOf(member);
  const remove = useAction((api) => api.removeFromList({ id, platform, author }), {
    onSuccess: () => applyMembership(queryClient, id, { platform, author }, false),
  });
  return (
    <li>
      <PersonRow
        to={creatorAddress(member)}
        name={name}
        isAgent={isAgent}
        picture={<Avatar name={name} src={avatarUrl} isAgent={isAgent} platform={platform} />}
        description={platform === "native" ? `@${author}` : t(`platform.${platform}`)}
      >
        <Button
          onClick={() => remove.mutate()}
          busy={remove.isPending}
          aria-label={t("lists.removeNamed", { name: fullNameOf(member) })}
        >
          {t("lists.remove")}
        </Button>
      </PersonRow>
    </li>
  );
}

function ListActions({ list }: { list: Shown }) {
  const { t } = useText();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<"rename" | "delete" | null>(null);
  const close = () => setQuestion(null);
  const remove = useAction((api) => api.deleteList({ id: list.id }), {
    onSuccess: async () => {
      // Leaves the page first: it would read the deleted list again.
      await navigate({ to: "/lists" });
      queryClient.removeQueries(listQuery(api, list.id));
      return invalidateLists(queryClient, list.id);
    },
  });
  return (
    <>
      <IconButton label={t("lists.rename")} onClick={() => setQuestion("rename")}>
        <Pencil className="size-5" aria-hidden="true" />
      </IconButton>
      <IconButton label={t("lists.delete")} onClick={() => setQuestion("delete")}>
        <Trash2 className="size-5" aria-hidden="true" />
      </IconButton>
      {question === "rename" && (
        <RenameDialog
          title={t("lists.rename")}
          label={t("lists.name")}
          name={list.name}
          onRename={(api, name) => api.renameList({ id: list.id, name })}
          onRenamed={() => invalidateLists(queryClient)}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={question === "delete"}
        onClose={close}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("lists.deleteTitle", { name: list.name })}
        description={t("lists.deleteDescription")}
        action={t("lists.delete")}
      />
    </>
  );
}
