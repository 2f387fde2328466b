import type { Message } from "@tandem/contract/people";
import { RotateCw, Trash2 } from "lucide-react";
import { errorMessage } from "../../data/error-messages.ts";
import { useMe } from "../../data/me.ts";
import type { Unsent, useOutbox } from "../../data/outbox.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { LogInBeside } from "../../ui/error-notice.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { type Day, daysOf } from "./days.ts";

interface Older {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** What scrolls takes focus, so that keys scroll it. */
const focusable = { tabIndex: 0 };

/** What was said, oldest first. It begins at its end, and stays there as more is said: that is how it is laid out. */
export function Log({
  messages,
  list,
  outbox,
  name,
}: {
  messages: readonly Message[];
  list: Older;
  outbox: ReturnType<typeof useOutbox>;
  /** The other's. */
  name: string;
}) {
  const { t, locale } = useText();
  const zone = useHydrated() ? undefined : "UTC";
  const { unsent } = outbox;
  return (
    <div
      role="log"
      aria-label={t("messages.log", { name })}
      {...focusable}
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
        {messages.length + unsent.length === 0 && (
          <p className="py-8 text-center text-soft">{t("messages.none")}</p>
        )}
        {daysOf(messages, locale, zone).map((day) => (
          <DayOfTalk key={day.name} day={day} zone={zone} other={name} />
        ))}
        {unsent.map((message) => (
          <UnsentBubble key={message.key} message={message} outbox={outbox} />
        ))}
      </div>
    </div>
  );
}

function DayOfTalk({
  day: { name, messages },
  zone,
  other,
}: {
  day: Day;
  zone: string | undefined;
  other: string;
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
          other={other}
          last={messages[i + 1]?.from !== message.from}
          zone={zone}
        />
      ))}
    </section>
  );
}

const ownLook = "self-end rounded-2xl rounded-ee-md bg-accent text-on-accent";
const failedLook = "rounded-2xl rounded-ee-md border border-danger bg-danger-soft";
const otherLook = "self-start rounded-2xl rounded-es-md border bg-raised";
const agentLook = "self-start rounded-lg bg-agent-soft";

function Bubble({
  message: { body, isAiGenerated, createdAt },
  own,
  other,
  last,
  zone,
}: {
  message: Message;
  own: boolean;
  other: string;
  /** Of several that one wrote in a row. */
  last: boolean;
  zone: string | undefined;
}) {
  const { t, locale } = useText();
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", ...(zone && { timeZone: zone }) });
  const look = own ? ownLook : isAiGenerated ? agentLook : otherLook;
  return (
    <>
      <p className={`theirs max-w-[85%] px-3.5 py-2 whitespace-pre-wrap sm:max-w-[75%] ${look}`}>
        <span className="sr-only">{own ? t("messages.fromYou") : t("messages.from", { name: other })} </span>
        {body}
      </p>
      {last && (
        <p className={`mb-2 px-1 text-xs text-soft ${own ? "self-end" : "self-start"}`}>
          {isAiGenerated && <>{t("messages.byAi")} · </>}
          <time dateTime={createdAt}>{time.format(Date.parse(createdAt))}</time>
        </p>
      )}
    </>
  );
}

/** On its way, or kept here with what can be done about that. */
function UnsentBubble({ message, outbox }: { message: Unsent; outbox: ReturnType<typeof useOutbox> }) {
  const { t } = useText();
  const { body, failure } = message;
  return (
    <div className="flex flex-col items-end gap-1">
      <p
        className={`theirs max-w-[85%] px-3.5 py-2 whitespace-pre-wrap sm:max-w-[75%] ${failure ? failedLook : ownLook}`}
      >
        {body}
      </p>
      {failure ? (
        <div role="alert" className="flex max-w-[85%] flex-col items-end gap-1 text-sm text-danger">
          <p className="text-end">
            <Why held={failure} />
          </p>
          <div className="flex gap-2">
            <Button size="small" className="min-h-10" onClick={() => outbox.retry(message)}>
              <RotateCw className="size-3.5" aria-hidden="true" />
              {t("common.again")}
            </Button>
            <Button size="small" look="quiet" className="min-h-10" onClick={() => outbox.discard(message)}>
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

const whys = { forbidden: "messages.apart", not_found: "messages.nobody" } as const;

function Why({ held }: { held: NonNullable<Unsent["failure"]> }) {
  const { t } = useText();
  if (held === "left") return t("messages.left");
  const { code } = held;
  const why = code === "forbidden" || code === "not_found" ? t(whys[code]) : errorMessage(held, t);
  return (
    <>
      {t("messages.notSent")} {why} <LogInBeside error={held} />
    </>
  );
}
