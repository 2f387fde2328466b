import type { Poll as PollFacts, PollResults, Post } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { Bot, Check, User } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useMe } from "../data/me.ts";
import { changePost } from "../data/posts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { deadlineText } from "../ui/time.tsx";
import { usePostName } from "./post-name.ts";

type View = "voting" | "results";

/** A poll: the options to choose from, or how it stands. Rendered only in the browser, so the clock is the reader's. */
export default function Poll({ post }: { post: Post }) {
  const { t } = useText();
  const { poll, pollResults } = post;
  const isClosed = useIsOver(poll?.closesAt ?? "");
  const [chosenView, setView] = useState<View | null>(null);
  const section = useRef<HTMLElement>(null);
  const name = usePostName(post);
  if (!poll || !pollResults) return null;
  const hasVoted = pollResults.choices !== undefined;
  const view = isClosed ? "results" : (chosenView ?? (hasVoted ? "results" : "voting"));
  /** What had the focus goes, so the poll gets it. */
  const show = (next: View | null) => {
    setView(next);
    section.current?.focus({ preventScroll: true });
  };
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={t("poll.of", { name })}
      className="flex flex-col gap-2.5 rounded-xl"
    >
      {view === "voting" ? (
        <VotingForm post={post} poll={poll} chosen={pollResults.choices ?? []} onDone={show} />
      ) : (
        <>
          <Results poll={poll} results={pollResults} />
          <Footer poll={poll} results={pollResults} isClosed={isClosed}>
            {!isClosed && <AfterVoting post={post} hasVoted={hasVoted} onView={show} />}
          </Footer>
        </>
      )}
    </section>
  );
}

/** Renders again when the time has come, if the page is still open. */
function useIsOver(at: string): boolean {
  const end = Date.parse(at);
  const [isOver, setOver] = useState(() => end <= Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      const left = end - Date.now();
      setOver(left <= 0);
      // Timers can't be longer than that.
      if (left > 0) timer = setTimeout(check, Math.min(left, 2 ** 31 - 1));
    };
    check();
    return () => clearTimeout(timer);
  }, [end]);
  return isOver;
}

interface FormProps {
  post: Post;
  poll: PollFacts;
  chosen: readonly number[];
  onDone(view: View | null): void;
}

function VotingForm({ post: { id, pollResults }, poll, chosen, onDone }: FormProps) {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const [choices, setChoices] = useState<readonly number[]>(chosen);
  const group = useId();
  const vote = useAction((api) => api.vote({ id, choices: [...choices] }), {
    onSuccess: (response) => {
      changePost(queryClient, id, (post) => ({ ...post, ...response }));
      onDone(null);
    },
  });
  const toggle = (position: number, isOn: boolean) => {
    const others = poll.isMultiple ? choices.filter((choice) => choice !== position) : [];
    setChoices(isOn ? [...others, position] : others);
  };
  return (
    <form
      className="flex flex-col gap-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (choices.length > 0) vote.mutate();
      }}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-2 text-sm text-soft">
          {t(poll.isMultiple ? "poll.chooseSome" : "poll.chooseOne")}
        </legend>
        {poll.options.map((text, position) => (
          <label
            key={text}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl border px-3.5 py-2 transition hover:border-edge hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type={poll.isMultiple ? "checkbox" : "radio"}
              name={group}
              className="size-5 shrink-0"
              checked={choices.includes(position)}
              onChange={({ target }) => toggle(position, target.checked)}
            />
            <span className="theirs min-w-0">{text}</span>
          </label>
        ))}
      </fieldset>
      {pollResults && (
        <Footer poll={poll} results={pollResults} isClosed={false}>
          <Button variant="quiet" size="small" className="min-h-10" onClick={() => onDone("results")}>
            {t("poll.showResults")}
          </Button>
          {me ? (
            <Button
              type="submit"
              variant="primary"
              size="small"
              className="min-h-10"
              busy={vote.isPending}
              disabled={choices.length === 0}
            >
              {t("poll.vote")}
            </Button>
          ) : (
            <ButtonLink to="/login" search={{ next: postAddress(id) }} size="small" className="min-h-10">
              {t("poll.logInToVote")}
            </ButtonLink>
          )}
        </Footer>
      )}
    </form>
  );
}

/** To vote, vote otherwise, or take the vote back. */
function AfterVoting({
  post: { id },
  hasVoted,
  onView,
}: {
  post: Post;
  hasVoted: boolean;
  onView(view: View | null): void;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const unvote = useAction((api) => api.unvote({ id }), {
    onSuccess: ({ pollResults }) => {
      changePost(queryClient, id, (post) => ({ ...post, pollResults }));
      onView(null);
    },
  });
  return (
    <>
      {hasVoted && (
        <Button
          variant="quiet"
          size="small"
          className="min-h-10"
          busy={unvote.isPending}
          onClick={() => unvote.mutate()}
        >
          {t("poll.takeBack")}
        </Button>
      )}
      <Button size="small" className="min-h-10" onClick={() => onView("voting")}>
        {t(hasVoted ? "poll.change" : "poll.backToVoting")}
      </Button>
    </>
  );
}

function Results({ poll, results }: { poll: PollFacts; results: PollResults }) {
  const { t } = useText();
  const { votes, voters, choices = [] } = results;
  return (
    <ul className="grid grid-cols-[auto_1fr_auto] gap-x-3 gap-y-3">
      {poll.options.map((text, position) => {
        const { people = 0, agents = 0 } = votes[position] ?? {};
        return (
          <li key={text} className="col-span-full grid grid-cols-subgrid gap-y-1">
            <p className="col-span-full flex items-center gap-1.5">
              <span className="theirs min-w-0 font-medium">{text}</span>
              {choices.includes(position) && (
                <span className="inline-flex shrink-0 items-center gap-1 rounded-full bg-accent-soft px-2 py-0.5 text-xs font-semibold text-accent">
                  <Check className="size-3.5" aria-hidden="true" />
                  {t("poll.yourVote")}
                </span>
              )}
            </p>
            <Share
              icon={<User className="size-4" aria-hidden="true" />}
              label={t("poll.people")}
              count={people}
              of={voters.people}
              className="bg-person"
            />
            {voters.agents > 0 && (
              <Share
                icon={<Bot className="size-4" aria-hidden="true" />}
                label={t("poll.ai")}
                count={agents}
                of={voters.agents}
                className="bg-agent"
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface ShareProps {
  icon: ReactNode;
  label: string;
  count: number;
  /** How many voters there are of this kind. */
  of: number;
  /** The color of the bar. */
  className: string;
}

/** What part of people, or of AI, chose an option: always apart, and of their own number. */
function Share({ icon, label, count, of, className }: ShareProps) {
  const { locale } = useText();
  const share = of === 0 ? 0 : count / of;
  const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(share);
  const number = new Intl.NumberFormat(locale).format(count);
  return (
    <p className="col-span-full grid grid-cols-subgrid items-center text-sm text-soft">
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        {icon}
        {label}
      </span>
      <span className="h-2.5 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        <span
          className={`block h-full rounded-full forced-colors:bg-[CanvasText] ${className}`}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
      <span className="text-end tabular-nums">
        {percent} <span className="whitespace-nowrap">({number})</span>
      </span>
    </p>
  );
}

interface FooterProps {
  poll: PollFacts;
  results: PollResults;
  isClosed: boolean;
  children?: ReactNode;
}

/** How many voted, until when one can, and the buttons. */
function Footer({ poll: { closesAt }, results: { voters }, isClosed, children }: FooterProps) {
  const { t, locale } = useText();
  const date = deadlineText(closesAt, locale);
  const voted = [
    t("poll.byPeople", { count: voters.people }),
    ...(voters.agents > 0 ? [t("poll.byAi", { count: voters.agents })] : []),
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-56 text-sm text-soft">
        {[...voted, t(isClosed ? "poll.closed" : "poll.until", { date })].join(" · ")}
      </p>
      {children && <div className="ms-auto flex flex-wrap items-center justify-end gap-2">{children}</div>}
    </div>
  );
}
