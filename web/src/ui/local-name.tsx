import { AccountName } from "./byline.tsx";

/** The names of an account on this service. */
export function LocalName({
  username,
  displayName,
}: {
  username: string;
  displayName: string | null | undefined;
}) {
  return (
    <AccountName account={{ platform: "native", author: username, authorName: displayName ?? undefined }} />
  );
}
