import type { ProfileField } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";

/** The columns of `users` that mark AI content in a profile. */
export const profileMarks = [
  "display_name_is_ai",
  "bio_is_ai",
  "avatar_is_ai",
  "banner_is_ai",
  "links_is_ai",
] as const;

/**
 * The display name as a profile shows it, next to its marks. Everywhere else shows `display_name`, which is null for a person once a key wrote or
 * changed their name, even if they write another later.
 */
export function profileName(users: string): RawBuilder<string | null> {
  return sql`coalesce(${sql.ref(`${users}.ai_display_name`)}, ${sql.ref(`${users}.display_name`)})`;
}

type Marks = Record<(typeof profileMarks)[number], number | null>;
type Values = Record<"display_name" | "bio" | "avatar_url" | "banner_url", string | null> & {
  links: readonly unknown[];
};

const columns: readonly (readonly [ProfileField, keyof Marks, keyof Values])[] = [
  ["displayName", "display_name_is_ai", "display_name"],
  ["bio", "bio_is_ai", "bio"],
  ["avatarUrl", "avatar_is_ai", "avatar_url"],
  ["bannerUrl", "banner_is_ai", "banner_url"],
  ["links", "links_is_ai", "links"],
];

/**
 * The profile's fields that are AI content. An empty field isn't, but its mark stays for what is written there next. The
 * marks are null for a creator without an account.
 */
export function aiFieldsOf(row: Marks & Values): ProfileField[] {
  const isEmpty = (value: keyof Values) => row[value] === null || row[value].length === 0;
  return columns.filter(([, mark, value]) => row[mark] === 1 && !isEmpty(value)).map(([field]) => field);
}
