import { Link as RouterLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  /** A path of this app, without the query. */
  to: string;
  search?: Record<string, string | undefined>;
  hash?: string | undefined;
  replace?: boolean;
  children?: ReactNode;
}

/** A link to a page of the app; it has `aria-current="page"` on that page. */
export function Link({ to, search = {}, replace, ...rest }: Props) {
  return (
    <RouterLink
      to={to}
      search={search as never}
      activeOptions={{ exact: true, includeSearch: true }}
      {...(replace && { replace })}
      {...(rest as object)}
    />
  );
}

/** A link to another site: `nofollow`, and without a referrer. */
export function OutboundLink({ href, children, ...rest }: ComponentProps<"a"> & { href: string }) {
  return (
    <a href={href} rel="ugc nofollow noopener noreferrer" target="_blank" {...rest}>
      {children}
    </a>
  );
}
