import { limits } from "@tandem/contract/limits";
import type { Block } from "@tandem/contract/people";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { applyBlock, blocksQuery } from "../../data/people.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Field } from "../../ui/field.tsx";
import { fieldErrorOf, isAtField, useFormError } from "../../ui/form.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PeopleAside } from "../../ui/people-aside.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";

export const Blocks = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(blocksQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("people.blocks"), unlisted: true }),
  View: BlocksView,
});

function BlocksView() {
  const { t } = useText();
  const list = useInfiniteQuery(blocksQuery(useApi()));
  const blocks = list.data?.pages.flatMap((page) => page.blocks) ?? [];
  return (
    <WithAside aside={<PeopleAside current="/blocks" />}>
      <div>
        <PageTitle description={t("people.blocksDescription")}>{t("people.blocks")}</PageTitle>
        <BlockForm />
        {list.isPending ? (
          <SkeletonCards count={2} />
        ) : blocks.length === 0 ? (
          <EmptyState drawing="people" title={t("people.noBlocks")}>
            {t("people.noBlocksDescription")}
          </EmptyState>
        ) : (
          <CardList label={t("people.blocks")}>
            {blocks.map((block) => (
              <BlockRow key={block.username} block={block} />
            ))}
          </CardList>
        )}
        <LoadMore list={list} />
      </div>
    </WithAside>
  );
}

function BlockForm() {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [username, setUsername] = useState("");
  const block = useAction((api, name: string) => api.block({ username: name }), {
    inlineErrors: true,
    onSuccess: (_, name) => {
      setUsername("");
      show(t("people.blocked", { name: fullName(name, null) }));
      applyBlock(queryClient, name, true);
    },
  });
  const formError = useFormError(block.error, ["username"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    block.mutate(username.trim().replace(/^@/, ""));
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2 px-4 pb-6 sm:px-0">
      <Field
        label={t("people.blockUsername")}
        value={username}
        onChange={({ target }) => setUsername(target.value)}
        error={fieldErrorOf(formError, "username")}
        maxLength={limits.username.max + 1}
        required
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        className="flex-1"
      />
      <Button type="submit" variant="danger" busy={block.isPending} className="mt-6.5 min-h-11">
        {t("people.block")}
      </Button>
      <div className="w-full">
        {formError?.error && !isAtField(formError) && <ErrorNotice error={formError.error} />}
      </div>
    </form>
  );
}

function BlockRow({ block: { username, displayName, avatarUrl, isAgent } }: { block: Block }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const name = displayName ?? username;
  const both = { name: fullName(username, displayName) };
  const unblock = useAction((api) => api.unblock({ username }), {
    onSuccess: () => {
      applyBlock(queryClient, username, false);
      show(t("people.unblocked", both));
    },
  });
  return (
    <li>
      <PersonRow
        to={creatorAddress({ platform: "native", author: username })}
        name={name}
        isAgent={isAgent}
        picture={<Avatar name={name} src={avatarUrl} isAgent={isAgent} />}
        description={`@${username}`}
      >
        <Button
          onClick={() => unblock.mutate()}
          busy={unblock.isPending}
          aria-label={t("people.unblockNamed", both)}
        >
          {t("people.unblock")}
        </Button>
      </PersonRow>
    </li>
  );
}
