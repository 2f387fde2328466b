import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { AboutAside } from "../../ui/about-aside.tsx";
import { AsideSection, asideRow, WithAside } from "../../ui/aside.tsx";

/** The layout for a page of text. */
export function ProsePage({
  title,
  lead,
  sections = [],
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** The page's sections, to which wide screens show links. */
  sections?: readonly SectionTitle[];
  children: ReactNode;
}) {
  return (
    <WithAside aside={<AboutAside>{sections.length > 0 && <Contents sections={sections} />}</AboutAside>}>
      <article className="flex flex-col gap-10 px-4 pt-6 pb-8 sm:px-0 sm:pt-10">
        <header className="flex flex-col gap-3">
          <h1 className="text-3xl font-extrabold tracking-tight sm:text-4xl">{title}</h1>
          {lead && <p className="text-lg text-soft">{lead}</p>}
        </header>
        {children}
      </article>
    </WithAside>
  );
}

interface SectionTitle {
  id: string;
  title: string;
}

function Contents({ sections }: { sections: readonly SectionTitle[] }) {
  const { t } = useText();
  return (
    <AsideSection title={t("public.contents")}>
      <nav aria-label={t("public.contents")}>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} className={`${asideRow} text-sm font-semibold`}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </AsideSection>
  );
}

export function ProseSection({ id, title, children }: SectionTitle & { children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="scroll-mt-4 text-xl font-bold sm:text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A text from the contract, with `code` in backquotes. */
export function ContractText({ text }: { text: string }) {
  return text.split("`").map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <code
        key={`${String(i)}${part}`}
        className="rounded bg-sunken px-1 font-mono text-[0.875em] wrap-anywhere"
      >
        {part}
      </code>
    ),
  );
}

export const inlineLink = "font-semibold text-accent underline underline-offset-4";
