import type { ReactNode } from "react";
import { useText } from "../i18n/use-text.tsx";

/** An empty state: what would be here, and how to get it. */
export function EmptyState({
  title,
  children,
  action,
  drawing = <PersonAndAgent />,
  isPage = false,
}: {
  title: ReactNode;
  /** What the situation looks like, of `drawings.tsx`. */
  drawing?: ReactNode;
  /** Whether it is the page's only content. The title is then the page's heading. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      {drawing}
      <Title className="text-lg font-semibold">{title}</Title>
      {children && <div className="text-soft">{children}</div>}
      {action}
    </div>
  );
}

/** A circle for a person and a square for an agent. */
function PersonAndAgent() {
  return (
    <svg viewBox="0 0 96 56" aria-hidden="true" className="h-14">
      <circle cx="34" cy="28" r="22" className="fill-person-soft stroke-person" strokeWidth="2" />
      <rect
        x="44"
        y="8"
        width="40"
        height="40"
        rx="11"
        className="fill-agent-soft stroke-agent"
        strokeWidth="2"
      />
    </svg>
  );
}

/** A placeholder for content that is loading. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <div className={`animate-[breathe_1.6s_ease-in-out_infinite] rounded-lg bg-sunken ${className}`} />;
}

/** Placeholders for cards. Screen readers hear "loading" once. */
export function SkeletonCards({ count = 3 }: { count?: number }) {
  const { t } = useText();
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">{t("common.loading")}</span>
      {Array.from({ length: count }, (_, i) => (
        <div key={String(i)} className="card flex flex-col gap-3 p-4" aria-hidden="true">
          <div className="flex items-center gap-3">
            <Skeleton className="size-10 rounded-full" />
            <Skeleton className="h-4 w-40" />
          </div>
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}

/** A page's heading, with actions next to it. */
export function PageTitle({
  children,
  actions,
  description,
}: {
  children: ReactNode;
  actions?: ReactNode;
  description?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-3 px-4 pt-4 pb-3 sm:flex-nowrap sm:px-0">
      <div className="min-w-0">
        <h1 className="text-2xl font-bold">{children}</h1>
        {description && <p className="mt-1 text-soft">{description}</p>}
      </div>
      {actions && <div className="flex shrink-0 flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
