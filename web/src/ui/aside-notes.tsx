import { AsideSection } from "./aside.tsx";

/** Short texts that help with a page, as a section of its aside. */
export function AsideNotes({ title, notes }: { title: string; notes: readonly string[] }) {
  return (
    <AsideSection title={title}>
      <ul className="flex list-disc flex-col gap-2 ps-6 pe-2 text-sm marker:text-soft">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </AsideSection>
  );
}
