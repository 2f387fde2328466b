import { Link as RouterLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";

interface Props extends Omit<ComponentProps<"a">, "href"> {
  /** An address of ours, without its query. */
  to: string;
  search?: Record<string, string | undefined>;
  /** Of what on that page. */
  hash?: string | undefined;
  replace?: boolean;
  children?: ReactNode;
}

/** A link to a page of the app; `aria-current="page"` where one is. */
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

/** A link to elsewhere: nothing is vouched for, and nobody there hears where the reader came from. */
export function OutboundLink({ href, children, ...rest }: ComponentProps<"a"> & { href: string }) {
  return (
    <a href={href} rel="ugc nofollow noopener noreferrer" target="_blank" {...rest}>
      {children}
    </a>
  );
}
