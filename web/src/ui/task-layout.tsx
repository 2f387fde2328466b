import type { ReactNode } from "react";

/** The layout of a page that is one task, such as to log in. */
export function TaskLayout({
  title,
  description,
  children,
  footer,
}: {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col gap-6 px-4 pt-8 sm:pt-14">
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-bold">{title}</h1>
        {description && <p className="text-soft">{description}</p>}
      </header>
      {children && <div className="card flex flex-col gap-5 p-5 sm:p-6">{children}</div>}
      {footer && <div className="text-center text-soft">{footer}</div>}
    </div>
  );
}
