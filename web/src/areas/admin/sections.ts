/** The admin pages below `/admin`. */
export const sections = [
  "reports",
  "appeals",
  "repeats",
  "signups",
  "invitations",
  "users",
  "sources",
  "links",
  "pages",
  "audit",
  "settings",
] as const;
export type SectionName = (typeof sections)[number];

/** How many days the overview shows. */
export const DAYS = 30;

export function isSection(name: string | undefined): name is SectionName {
  return sections.some((section) => section === name);
}
