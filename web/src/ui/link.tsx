import type { ComponentProps } from "react";
import { type Marked, useLink } from "../router/use-link.ts";
import type { AddressValues } from "../shared/page.ts";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  /** Set it where the address alone doesn't tell. */
  "aria-current"?: Marked;
  /** A path of this app, without the query. */
  to: string;
  search?: AddressValues | undefined;
  hash?: string | undefined;
  replace?: boolean | undefined;
}

/** A link to a page of the app; it has `aria-current="page"` on that page, and as soon as the reader has chosen it, unless it is `false`. */
export function Link({ to, search, hash, replace, "aria-current": active, ...rest }: Props) {
  const { href, current, preload, preloadSoon, cancelPreload, follow } = useLink(
    { to, search, hash },
    replace,
    active,
  );
  return (
    <a
      {...rest}
      aria-current={current}
      href={href}
      onClick={joined(rest.onClick, follow)}
      onFocus={joined(rest.onFocus, preload)}
      onPointerEnter={joined(rest.onPointerEnter, preloadSoon)}
      onPointerLeave={joined(rest.onPointerLeave, cancelPreload)}
    />
  );
}

/** A handler that calls both. */
const joined =
  <E,>(first: ((event: E) => void) | undefined, second: (event: E) => void) =>
  (event: E) => {
    first?.(event);
    second(event);
  };

/** A link to another site: `nofollow`, and without a referrer. */
export function OutboundLink({ href, children, ...rest }: ComponentProps<"a"> & { href: string }) {
  return (
    <a href={href} rel="ugc nofollow noopener noreferrer" target="_blank" {...rest}>
      {children}
    </a>
  );
}
