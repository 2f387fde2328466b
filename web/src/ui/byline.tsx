import type { Platform } from "@tandem/contract/origins";
import type { ReactNode } from "react";
import { creatorAddress } from "../shared/addresses.ts";
import { Link } from "./link.tsx";

/**
 * Who wrote something, when and where. On one line if the names can be shortened enough for that, otherwise it wraps between its items.
 * Each `BylineItem` begins with a dot, which is cut off at the start of a line.
 */
export function Byline({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <div className={`-ms-1 min-w-0 flex-1 overflow-x-clip ps-1 text-sm text-soft ${className}`}>
      <div className="-ms-3 flex flex-wrap items-center gap-y-0.5">{children}</div>
    </div>
  );
}

export function BylineItem({
  children,
  dot = true,
  className = "max-w-full",
}: {
  children: ReactNode;
  dot?: boolean;
  className?: string;
}) {
  return (
    <span
      className={`relative inline-flex min-w-0 items-center ps-3 ${className} ${dot ? "before:absolute before:start-1 before:content-['·']" : ""}`}
    >
      {children}
    </span>
  );
}

/** The first item: the author. It counts as short when the line is broken, and takes the space that others leave. */
export function BylineAuthor({ children }: { children: ReactNode }) {
  return (
    <BylineItem dot={false} className="max-w-max flex-[1_1_7.5rem] sm:flex-[1_1_8.5rem]">
      {children}
    </BylineItem>
  );
}

interface Account {
  platform: Platform;
  /** The username; of imported posts, the name there. */
  author: string;
  authorName?: string | undefined;
}

/** Display name and @handle; only the name of someone on another platform. */
export function AccountName({
  account: { platform, author, authorName },
  nameClass = "font-semibold text-ink",
}: {
  account: Account;
  nameClass?: string;
}) {
  const handle = platform === "native" ? author : null;
  return <AccountNames name={authorName ?? author} nameClass={nameClass} handle={handle} />;
}

/**
 * Both names on one line. Where there is little space, each may end in an ellipsis: first the handle is cut, but not to less than a few
 * letters.
 */
export function AccountNames({
  name,
  nameClass,
  maxClass,
  handle,
  className = "",
}: {
  name: string;
  nameClass: string;
  /** How wide the name may be; `var(--handle)` is what the handle needs at least. Default: what that leaves. */
  maxClass?: string;
  handle: string | null;
  className?: string;
}) {
  const widest = maxClass ?? (handle === null ? "max-w-full" : "max-w-[calc(100%-var(--handle))]");
  return (
    <span className={`inline-flex h-6 min-w-0 leading-6 ${roomFor(handle ?? "")} ${className}`}>
      {/* It doesn't shrink: a fraction of a pixel would already cost it letters. */}
      <span className={`theirs-line shrink-0 ${widest} ${nameClass}`}>{name}</span>
      {handle !== null && (
        <>
          {" "}
          <span className="theirs-line ps-1.5 font-normal text-soft">@{handle}</span>
        </>
      )}
    </span>
  );
}

/**
 * What a handle needs at least: a few letters, but no more than the whole of it takes if all are as narrow as "l". Otherwise it would cut the
 * name, however much space there is.
 */
function roomFor({ length }: string): string {
  if (length < 6) return "[--handle:2.4ch]";
  return length < 13 ? "[--handle:3.4ch]" : "[--handle:6ch]";
}

/** The names of an account, as a link to its posts. */
export function AccountLink({ account }: { account: Account }) {
  return (
    <Link to={creatorAddress(account)} aria-current={false} className="inline-flex min-w-0 hover:underline">
      <AccountName account={account} />
    </Link>
  );
}
