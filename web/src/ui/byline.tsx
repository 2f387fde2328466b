import type { Platform } from "@tandem/contract/origins";
import type { ReactNode } from "react";
import { creatorAddress } from "../shared/addresses.ts";
import { Link } from "./link.tsx";

/**
 * Who wrote something, when and where, on one line that wraps between its items. Each `BylineItem` begins with a dot, which is cut off
 * at the start of a line.
 */
export function Byline({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <div className={`-ms-1 min-w-0 flex-1 overflow-x-clip ps-1 text-sm text-soft ${className}`}>
      <div className="-ms-4 flex flex-wrap items-center gap-y-0.5">{children}</div>
    </div>
  );
}

export function BylineItem({ children, dot = true }: { children: ReactNode; dot?: boolean }) {
  return (
    <span
      className={`relative inline-flex max-w-full min-w-0 items-center ps-4 ${dot ? "before:absolute before:start-1.5 before:content-['·']" : ""}`}
    >
      {children}
    </span>
  );
}

interface Account {
  platform: Platform;
  /** The username; of imported posts, the name there. */
  author: string;
  authorName?: string | undefined;
}

/** Display name and @handle; only the name of someone on another platform. The handle gives way first. */
export function AccountName({ account: { platform, author, authorName } }: { account: Account }) {
  return (
    <>
      <span className="theirs truncate font-semibold text-ink">{authorName ?? author}</span>
      {platform === "native" && (
        <span className="theirs min-w-0 shrink-[9] truncate font-normal text-soft">@{author}</span>
      )}
    </>
  );
}

/** The names of an account, as a link to its posts. */
export function AccountLink({ account }: { account: Account }) {
  return (
    <Link
      to={creatorAddress(account)}
      className="inline-flex min-h-6 min-w-0 items-center gap-x-1.5 hover:underline"
    >
      <AccountName account={account} />
    </Link>
  );
}
