const UNRELEASED = /^## \[Unreleased\]\n/m;

/** A changelog whose unreleased changes were moved to their own section, and the changes themselves. */
export interface Release {
  changelog: string;
  /** Markdown, without the section's own heading; empty if nothing changed. */
  notes: string;
}

/**
 * Moves what is listed under "Unreleased" of a changelog in the format of keepachangelog.com to a new section. Groups
 * such as "Added" that list nothing are left out. Returns null if there is no heading `## [Unreleased]`.
 */
export function moveUnreleased(changelog: string, version: string, date: string): Release | null {
  const heading = UNRELEASED.exec(changelog);
  if (!heading) return null;
  const start = heading.index + heading[0].length;
  const rest = changelog.slice(start);
  const length = rest.search(/^(?:## |\[[^\]]+\]: )/m);
  const [body, older] = length < 0 ? [rest, ""] : [rest.slice(0, length), rest.slice(length)];
  const groups = body.split(/^(?=### )/m).map((group) => group.trim());
  const notes = groups.filter((group) => group.replace(/^### .*/, "") !== "").join("\n\n");
  const section = `## [${version}] - ${date}\n\n${notes}\n\n${older}`;
  return { changelog: `${changelog.slice(0, start)}\n${section.trimEnd()}\n`, notes };
}

/** Whether the changelog has a section for the version already. */
export function hasSection(changelog: string, version: string): boolean {
  return changelog.includes(`\n## [${version}]`);
}
