import { hiddenCharacter } from "@tandem/contract/hidden-text";

/** The contract's string formats. */
export const formats = {
  text: isOpenText,
  "any-text": isText,
  "web-address": isWebAddress,
  email: isEmail,
  "date-time": isTime,
  date: isDay,
};

/** Well-formed Unicode without NUL, which both databases can store. */
export function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

/** Text without hidden characters. */
function isOpenText(value: string): boolean {
  return value.isWellFormed() && hiddenCharacter(value) === null;
}

function isWebAddress(value: string): boolean {
  if (!isOpenText(value) || /[\s\p{Cc}]/u.test(value) || !/^https?:\/\//i.test(value)) return false;
  return URL.canParse(value) && new URL(value).hostname !== "";
}

/** An RFC 3339 time. `Date.parse` alone takes 31 November for 1 December, and 24:00 for the next day. */
function isTime(value: string): boolean {
  const form = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
  const day = form.exec(value)?.[1];
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(value));
}

/** A day of the calendar. */
function isDay(value: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(value);
}

/** A plausible email address; only sending mail can confirm it. */
function isEmail(value: string): boolean {
  return isText(value) && /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)+$/u.test(value);
}
