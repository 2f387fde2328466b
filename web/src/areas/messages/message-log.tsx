import type { Message } from "@tandem/contract/people";
import { RotateCw, Trash2 } from "lucide-react";
import { errorMessage } from "../../data/error-messages.ts";
import { useMe } from "../../data/me.ts";
import type { Unsent, useOutbox } from "../../data/outbox.ts";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownText } from "../../posts/markdown-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorLink } from "../../ui/error-notice.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { type Day, daysOf } from "./days.ts";

interface OlderMessages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Scrollable regions need focus for keyboard scrolling. */
const focusableProps = { tabIndex: 0 };

/** The messages, oldest first. The layout keeps the log scrolled to its end. */
export function MessageLog({
  messages,
  list,
  outbox,
  name,
  isBlocked,
}: {
  messages: readonly Message[];
  list: OlderMessages;
  outbox: ReturnType<typeof useOutbox>;
  /** The other account's name. */
  name: string;
  /** Whether the reader blocks it. */
  isBlocked: boolean;
}) {
  const { t, locale } = useText();
  const timeZone = useHydrated() ? undefined : "UTC";
  const { unsent } = outbox;
  return (
    <div
      role="log"
      aria-label={t("messages.log", { name })}
      {...focusableProps}
      className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain px-4 py-4"
    >
      <div className="flex flex-col gap-4">
        {list.hasNextPage && (
          <Button
            size="small"
            className="mx-auto min-h-10"
            busy={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            {t("messages.older")}
          </Button>
        )}
        {messages.length + unsent.length === 0 && !isBlocked && (
          <EmptyState drawing="messages" title={t("messages.noneYet")} />
        )}
        {daysOf(messages, locale, timeZone).map((day) => (
          <DaySection key={day.name} day={day} timeZone={timeZone} otherName={name} />
        ))}
        {unsent.map((message) => (
          <UnsentBubble key={message.key} message={message} outbox={outbox} />
        ))}
      </div>
    </div>
  );
}

function DaySection({
  day: { name, messages },
  timeZone,
  otherName,
}: {
  day: Day;
  timeZone: string | undefined;
  otherName: string;
}) {
  const me = useMe()?.username;
  return (
    <section aria-label={name} className="flex flex-col gap-1">
      <h2 className="mx-auto mb-2 rounded-full bg-sunken px-3 py-0.5 text-xs font-semibold text-soft">
        {name}
      </h2>
      {messages.map((message, i) => (
        <Bubble
          key={message.id}
          message={message}
          own={message.from === me}
          otherName={otherName}
          isLastInRun={messages[i + 1]?.from !== message.from}
          timeZone={timeZone}
        />
      ))}
    </section>
  );
}

const bubbleShape = "max-w-[85%] px-3.5 py-2 sm:max-w-[75%]";
/** Links and quotes have the bubble's own color, as ours would be hard to see on it. */
const ownClass =
  "[&_a]:text-inherit [&_blockquote]:text-inherit self-end rounded-2xl rounded-ee-md bg-accent text-on-accent";
const failedClass = "rounded-2xl rounded-ee-md border border-danger bg-danger-soft";
const otherClass = "self-start rounded-2xl rounded-es-md border bg-raised";
const agentClass = "self-start rounded-lg bg-agent-soft";

function Bubble({
  message: { body, isAiGenerated, createdAt },
  own: isOwn,
  otherName,
  isLastInRun,
  timeZone,
}: {
  message: Message;
  own: boolean;
  otherName: string;
  /** Whether it is the last of several messages in a row by the same account. */
  isLastInRun: boolean;
  timeZone: string | undefined;
}) {
  const { t, locale } = useText();
  const time = new Intl.DateTimeFormat(locale, {
    timeStyle: "short",
    ...(timeZone && { timeZone: timeZone }),
  });
  const bubbleClass = isOwn ? ownClass : isAiGenerated ? agentClass : otherClass;
  return (
    <>
      <div className={`${bubbleShape} ${bubbleClass}`}>
        <span className="sr-only">
          {isOwn ? t("messages.fromYou") : t("messages.from", { name: otherName })}{" "}
        </span>
        <MarkdownText text={body} />
      </div>
      {isLastInRun && (
        <p className={`mb-2 px-1 text-xs text-soft ${isOwn ? "self-end" : "self-start"}`}>
          {isAiGenerated && <>{t("messages.byAi")} · </>}
          <time dateTime={createdAt}>{time.format(Date.parse(createdAt))}</time>
        </p>
      )}
    </>
  );
}

/** A message that is being sent, or that failed, with buttons to retry or discard it. */
function UnsentBubble({ message, outbox }: { message: Unsent; outbox: ReturnType<typeof useOutbox> }) {
  const { t } = useText();
  const { body, failure } = message;
  return (
    <div className="flex flex-col items-end gap-1">
      <div className={`${bubbleShape} ${failure ? failedClass : ownClass}`}>
        <MarkdownText text={body} />
      </div>
      {failure ? (
        <div role="alert" className="flex max-w-[85%] flex-col items-end gap-1 text-sm text-danger">
          <p className="text-end">
            <SendFailure failure={failure} />
          </p>
          <div className="flex gap-2">
            <Button size="small" className="min-h-10" onClick={() => outbox.retry(message)}>
              <RotateCw className="size-3.5" aria-hidden="true" />
              {t("common.retry")}
            </Button>
            <Button size="small" variant="quiet" className="min-h-10" onClick={() => outbox.discard(message)}>
              <Trash2 className="size-3.5" aria-hidden="true" />
              {t("messages.discard")}
            </Button>
          </div>
        </div>
      ) : (
        <p className="text-xs text-soft">{t("messages.sending")}</p>
      )}
    </div>
  );
}

const failureTexts = { forbidden: "messages.blocked", not_found: "messages.accountDeleted" } as const;

function SendFailure({ failure }: { failure: NonNullable<Unsent["failure"]> }) {
  const { t } = useText();
  if (failure === "left") return t("messages.maybeNotSent");
  const { code } = failure;
  const reason =
    code === "forbidden" || code === "not_found" ? t(failureTexts[code]) : errorMessage(failure, t);
  return (
    <>
      {t("messages.notSent")} {reason} <ErrorLink error={failure} />
    </>
  );
}
