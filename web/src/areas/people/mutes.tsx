import { limits } from "@tandem/contract/limits";
import type { Mute } from "@tandem/contract/mutes";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Hash, TextQuote } from "lucide-react";
import { type FormEvent, useState } from "react";
import { applyMute, mutesQuery, muteTerms, muteUntil, targetOf } from "../../data/mutes.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullNameOf } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { fieldErrorOf, isAtField, useFormError } from "../../ui/form.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PeopleAside } from "../../ui/people-aside.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { deadlineText } from "../../ui/time.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

export const Mutes = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(mutesQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("people.mutes"), unlisted: true }),
  View: MutesView,
});

function MutesView() {
  const { t } = useText();
  const list = useInfiniteQuery(mutesQuery(useApi()));
  const mutes = list.data?.pages.flatMap((page) => page.mutes) ?? [];
  return (
    <WithAside aside={<PeopleAside current="/mutes" />}>
      <div>
        <PageTitle description={t("people.mutesDescription")}>{t("people.mutes")}</PageTitle>
        <MuteForm />
        {list.isPending ? (
          <SkeletonCards count={2} />
        ) : mutes.length === 0 ? (
          <EmptyState drawing="done" title={t("people.noMutes")}>
            {t("people.noMutesDescription")}
          </EmptyState>
        ) : (
          <CardList label={t("people.mutes")}>
            {mutes.map((mute) => (
              <MuteRow key={mute.id} mute={mute} />
            ))}
          </CardList>
        )}
        <LoadMore list={list} />
      </div>
    </WithAside>
  );
}

/** Mutes a word or phrase or, if it begins with `#`, a tag. */
function MuteForm() {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const [days, setDays] = useState(0);
  const mute = useAction(
    (api, target: { word: string } | { tag: string }) => api.mute({ ...target, ...muteUntil(days) }),
    {
      inlineErrors: true,
      onSuccess: (_, target) => {
        setText("");
        show(t("people.muted", { name: text.trim() }));
        applyMute(queryClient, target, true);
      },
    },
  );
  const formError = useFormError(mute.error, ["word", "tag"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mute.mutate(text.trim().startsWith("#") ? { tag: text.trim() } : { word: text });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2 px-4 pb-6 sm:px-0">
      <Field
        label={t("people.muteText")}
        hint={t("people.muteTextHint")}
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={fieldErrorOf(formError, "word") ?? fieldErrorOf(formError, "tag")}
        maxLength={limits.mutedText}
        required
        autoCapitalize="none"
        autoComplete="off"
        className="min-w-48 flex-1"
      />
      <Select
        label={t("people.muteTerm")}
        value={days}
        onChange={({ target }) => setDays(Number(target.value))}
        className="min-w-36"
      >
        {muteTerms.map((term) => (
          <option key={term} value={term}>
            {term === 0 ? t("people.muteForever") : t("people.muteDays", { days: term })}
          </option>
        ))}
      </Select>
      <Button type="submit" variant="primary" busy={mute.isPending} className="mt-6.5 min-h-11">
        {t("people.mute")}
      </Button>
      <div className="w-full">
        {formError?.error && !isAtField(formError) && <ErrorNotice error={formError.error} />}
      </div>
    </form>
  );
}

function MuteRow({ mute }: { mute: Mute }) {
  const { t, locale } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const { platform, author, displayName, avatarUrl, isAgent, word, tag, until } = mute;
  const name = author === null ? (word ?? `#${tag}`) : (displayName ?? author);
  const both = {
    name: platform === null || author === null ? name : fullNameOf({ platform, author, displayName }),
  };
  const target = targetOf(mute);
  const unmute = useAction((api) => api.unmute(target), {
    onSuccess: () => {
      applyMute(queryClient, target, false);
      show(t("people.unmuted", both));
    },
  });
  const timeZone = useHydrated() ? undefined : "UTC";
  const end = until === null ? null : t("people.mutedUntil", { time: deadlineText(until, locale, timeZone) });
  const button = (
    <Button
      onClick={() => unmute.mutate()}
      busy={unmute.isPending}
      aria-label={t("people.unmuteNamed", both)}
    >
      {t("people.unmute")}
    </Button>
  );
  if (platform !== null && author !== null)
    return (
      <li>
        <PersonRow
          to={creatorAddress({ platform, author })}
          name={name}
          isAgent={isAgent}
          picture={<Avatar name={name} src={avatarUrl} isAgent={isAgent} platform={platform} />}
          description={platform === "native" ? `@${author}` : t(`platform.${platform}`)}
          note={end ?? undefined}
        >
          {button}
        </PersonRow>
      </li>
    );
  const Icon = tag === null ? TextQuote : Hash;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-soft">
        <Icon className="size-5" aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-28">
        <p className="theirs-heading font-semibold">{name}</p>
        {end !== null && <p className="text-sm text-soft">{end}</p>}
      </div>
      {button}
    </li>
  );
}
