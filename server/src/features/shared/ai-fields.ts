import type { ProfileField } from "@tandem/contract/resources";

/** The columns of `users` that mark AI content in a profile. */
export const profileMarks = ["display_name_is_ai", "bio_is_ai", "avatar_is_ai"] as const;

type Marks = Record<(typeof profileMarks)[number], number | null>;

const columns: readonly (readonly [ProfileField, keyof Marks])[] = [
  ["displayName", "display_name_is_ai"],
  ["bio", "bio_is_ai"],
  ["avatarUrl", "avatar_is_ai"],
];

/** The profile's fields that are AI content. The columns are null for a creator without an account. */
export function aiFieldsOf(marks: Marks): ProfileField[] {
  return columns.filter(([, column]) => marks[column] === 1).map(([field]) => field);
}
