import type { Message } from "@tandem/contract/people";

export interface Day {
  name: string;
  messages: Message[];
}

/** Groups messages by day, in the reader's time zone. */
export function daysOf(messages: readonly Message[], locale: string, timeZone: string | undefined): Day[] {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", ...(timeZone && { timeZone }) });
  const days: Day[] = [];
  for (const message of messages) {
    const name = format.format(Date.parse(message.createdAt));
    const last = days.at(-1);
    if (last?.name === name) last.messages.push(message);
    else days.push({ name, messages: [message] });
  }
  return days;
}
