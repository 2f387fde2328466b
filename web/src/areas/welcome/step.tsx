import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Link } from "../../ui/link.tsx";

const STEPS = 3;

/** One of the three steps after signing up, each of which can be skipped. */
export function Step({
  number,
  title,
  description,
  next,
  children,
}: {
  number: number;
  title: string;
  description: string;
  /** The button to the next step. */
  next: ReactNode;
  children: ReactNode;
}) {
  const { t } = useText();
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5 px-4 py-6 sm:px-0">
      <header className="flex flex-col gap-1">
        <p className="text-sm font-semibold text-soft">{t("welcome.step", { number, all: STEPS })}</p>
        <h1 className="text-2xl font-bold">{title}</h1>
        <p className="text-soft">{description}</p>
      </header>
      {children}
      <div className="flex items-center justify-between gap-4">
        <Link to="/" className="inline-flex min-h-11 items-center font-semibold text-soft hover:underline">
          {t("welcome.skip")}
        </Link>
        {next}
      </div>
    </div>
  );
}
