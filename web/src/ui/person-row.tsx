import type { ReactNode } from "react";
import { AgentBadge } from "./agent-badge.tsx";
import { Link } from "./link.tsx";

/** A row in a list of accounts: picture, name, description and buttons. */
export function PersonRow({
  to,
  picture,
  name,
  isAgent = false,
  description,
  note,
  children,
}: {
  to: string;
  picture: ReactNode;
  name: string;
  isAgent?: boolean;
  description?: ReactNode;
  /** What Tandem says about the account. Unlike the description, it is never cut. */
  note?: string;
  /** Buttons. */
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      {picture}
      <div className="min-w-0 flex-1 basis-28">
        <p className="flex flex-wrap items-center gap-x-2">
          <Link to={to} className="theirs-line block min-h-6 leading-6 font-semibold hover:underline">
            {name}
          </Link>
          {isAgent && <AgentBadge />}
        </p>
        {(description || note) && (
          <div className="flex flex-wrap gap-x-2 text-sm text-soft">
            {description && <p className="theirs-line block">{description}</p>}
            {note && <p className="theirs">{note}</p>}
          </div>
        )}
      </div>
      {children && <div className="flex shrink-0 flex-wrap justify-end gap-2">{children}</div>}
    </div>
  );
}

/** A card with a list, its rows separated by thin lines. */
export function CardList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="card-flush divide-y">
      {children}
    </ul>
  );
}
