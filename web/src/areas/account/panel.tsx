import { type ReactNode, useId } from "react";
import { Skeleton } from "../../ui/states.tsx";

/** A titled panel in the settings. */
export function Panel({
  title,
  description,
  danger = false,
  children,
}: {
  title: string;
  description?: ReactNode;
  danger?: boolean;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`card-flush flex flex-col gap-4 p-5 sm:p-6 ${danger ? "border-danger/40" : ""}`}
    >
      <header>
        <h2 id={id} className="text-lg font-bold">
          {title}
        </h2>
        {description && <p className="mt-1 text-soft">{description}</p>}
      </header>
      {children}
    </section>
  );
}

/** Placeholders while a list loads. */
export function SkeletonLines({ count = 3 }: { count?: number }) {
  return (
    <div className="flex flex-col gap-3" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <Skeleton key={String(i)} className="h-10 w-full" />
      ))}
    </div>
  );
}

/** An item in a list of sessions, passkeys or the like. */
export function ListItem({
  icon,
  title,
  badges,
  description,
  actions,
}: {
  icon?: ReactNode;
  title: ReactNode;
  badges?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t py-3 first:border-t-0">
      {icon && (
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-soft">
          {icon}
        </span>
      )}
      <div className="min-w-0 flex-1 basis-40">
        <p className="theirs flex flex-wrap items-center gap-x-2 font-semibold">
          {title}
          {badges}
        </p>
        {description && <p className="text-sm text-soft">{description}</p>}
      </div>
      {actions && <div className="flex gap-1">{actions}</div>}
    </li>
  );
}

/** A status badge. */
export function Badge({
  good = false,
  bad = false,
  children,
}: {
  good?: boolean;
  bad?: boolean;
  children: ReactNode;
}) {
  const colorClass = good
    ? "bg-accent-soft text-accent"
    : bad
      ? "bg-danger-soft text-danger"
      : "bg-sunken text-soft";
  return (
    <span className={`rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap ${colorClass}`}>
      {children}
    </span>
  );
}
