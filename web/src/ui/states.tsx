import type { ReactNode } from "react";
import { useText } from "../i18n/use-text.tsx";
import type { DrawingName } from "./drawings.tsx";
import { lazyComponent } from "./lazy-component.tsx";

/** Loaded on demand, because most pages aren't empty. */
const Drawing = lazyComponent(() => import("./drawings.tsx"));

/** An empty state: what would be here, and how to get it. */
export function EmptyState({
  title,
  children,
  action,
  drawing = "tandem",
  isPage = false,
}: {
  title: ReactNode;
  /** What the situation looks like. */
  drawing?: DrawingName;
  /** Whether it is the page's only content. The title is then the page's heading. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      <Drawing name={drawing} fallback={<div className="h-16" />} />
      <Title className="text-lg font-semibold">{title}</Title>
      {children && <div className="text-balance text-soft">{children}</div>}
      {action}
    </div>
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

/** A page's heading, with actions next to it and a description below both. */
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
    <header className="grid grid-cols-[minmax(45%,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 pt-4 pb-3 sm:px-0">
      <h1 className="text-2xl font-bold">{children}</h1>
      {actions && <div className="flex flex-wrap justify-end gap-2">{actions}</div>}
      {description && <p className="col-span-2 text-soft">{description}</p>}
    </header>
  );
}
