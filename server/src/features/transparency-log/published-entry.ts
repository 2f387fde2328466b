import {
  authorContent,
  entryText,
  type LoggedAuthor,
  operatorContent,
  type PublishedEntry,
  signerContent,
} from "@tandem/contract/log/entry";
import { digestOf, type Salt } from "./digests.ts";

/** Which version of which post or comment was published, and its mark. */
export type EntrySubject = Pick<PublishedEntry, "kind" | "id" | "version" | "provenance" | "basis">;

/** What an entry has the salted hashes of, and when it was published. */
export interface EntryFacts {
  /** The text in canonical form: of `postContent` or `commentContent`. */
  content: string;
  author: LoggedAuthor;
  operator: string | null;
  signer: string | null;
  /** RFC 3339, in UTC. */
  time: string;
}

/** The text of the entry of a version that was published. */
export function publishedEntry(
  subject: EntrySubject,
  salt: Salt,
  { content, author, operator, signer, time }: EntryFacts,
): string {
  return entryText({
    ...subject,
    author: digestOf(salt, authorContent(author)),
    content: digestOf(salt, content),
    operator: operator === null ? null : digestOf(salt, operatorContent(operator)),
    ...(signer !== null && { signer: digestOf(salt, signerContent(signer)) }),
    time,
  });
}
