import type { ComponentProps } from "react";
import { AccountName } from "./byline.tsx";

/** The names of an account on this service. */
export function LocalName({
  username,
  displayName,
  ...rest
}: {
  username: string;
  displayName: string | null | undefined;
} & Pick<ComponentProps<typeof AccountName>, "nameClass">) {
  const account = { platform: "native", author: username, authorName: displayName ?? undefined } as const;
  return <AccountName account={account} {...rest} />;
}
