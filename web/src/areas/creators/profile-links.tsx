import type { ProfileLink } from "@tandem/contract/resources";
import { Link2 } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { OutboundLink } from "../../ui/link.tsx";
import { VerifiedTick } from "../../ui/verified-tick.tsx";

/** The links on a profile. All have `rel="me"`, so that the linked sites can verify them in turn. */
export function ProfileLinks({ links }: { links: readonly ProfileLink[] }) {
  const { t } = useText();
  return (
    <ul aria-label={t("creators.links")} className="flex flex-wrap gap-x-5 gap-y-1">
      {links.map(({ url, verifiedAt }) => (
        <li key={url} className="flex min-w-0 items-center gap-1.5">
          <Link2 className="size-4 shrink-0 text-soft" aria-hidden="true" />
          <OutboundLink
            href={url}
            rel="me ugc nofollow noopener noreferrer"
            className="theirs-line block text-accent hover:underline"
          >
            {shortUrl(url)}
          </OutboundLink>
          {verifiedAt !== null && <VerifiedTick at={verifiedAt} />}
        </li>
      ))}
    </ul>
  );
}

/** Without the scheme; with the host as the browser will request it. */
function shortUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  return host + (pathname === "/" ? "" : pathname) + search;
}
