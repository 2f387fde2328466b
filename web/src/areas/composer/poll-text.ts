import { DAY, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { repeatedOption } from "@tandem/contract/poll-options";
import type { Poll } from "@tandem/contract/post-resources";
import type { TextKey } from "../../i18n/keys.ts";
import { characterCount } from "../../ui/counter.tsx";

/** A poll as it is written: with options that are still empty. `closesAt` may be empty, too. */
export type PollText = Poll;

/** A new poll, which closes tomorrow at the same time. */
export const emptyPoll = (now: number): PollText => ({
  options: ["", ""],
  isMultiple: false,
  closesAt: new Date(Math.ceil((now + DAY) / MINUTE) * MINUTE).toISOString(),
});

interface PollProblem {
  text: TextKey;
  /** The position of the option that it is about, or the time. */
  at: number | "closesAt";
}

/** The first problem of a poll. Its time is checked when it is sent: drafts may be published later. */
export function pollProblem({ options, closesAt }: PollText): PollProblem | null {
  const tooLong = options.findIndex((text) => characterCount(text.trim()) > limits.pollOption);
  if (tooLong >= 0) return { text: "composer.tooLong", at: tooLong };
  const filled = options.filter((text) => text.trim() !== "");
  if (filled.length < limits.pollOptions.min)
    return { text: "composer.poll.missing", at: options.findIndex((text) => text.trim() === "") };
  const repeated = repeatedOption(options);
  if (repeated >= 0) return { text: "composer.poll.repeated", at: repeated };
  if (closesAt === "") return { text: "composer.poll.noTime", at: "closesAt" };
  return null;
}

/** The poll as the API takes it. */
export function sentPoll({ options, ...rest }: PollText): Poll {
  return { ...rest, options: options.map((text) => text.trim()).filter((text) => text !== "") };
}

/** The value of a `datetime-local` input: local time, to the minute. */
export function toLocalInputValue(time: string): string {
  if (time === "") return "";
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

export function fromLocalInputValue(value: string): string {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}
