import type { AddressValues } from "../../shared/page.ts";

const SEPARATOR = ",";

/** The communities in the URL's `topics`, which the steps pass on. */
export const topicsOf = ({ topics = "" }: AddressValues): string[] =>
  topics.split(SEPARATOR).filter((name) => name !== "");

/** The query that passes communities on. Those whose name contains a comma can't be. */
export const withTopics = (topics: readonly string[]): Record<string, string> => {
  const named = topics.filter((name) => !name.includes(SEPARATOR));
  return named.length === 0 ? {} : { topics: named.join(SEPARATOR) };
};
