import { AsideSection } from "./aside.tsx";

/** Short texts that help with a page, as a section of its aside. */
export function AsideNotes({ title, notes }: { title: string; notes: readonly string[] }) {
  return (
    <AsideSection title={title}>
      <ul className="flex flex-col gap-2.5 px-2 text-sm">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </AsideSection>
  );
}
