/** The reasons that reporters chose, and their notes; `reporters` names who wrote which note, where the reader may know. */
export function ReportReasons({
  reasons,
  notes,
  reporters,
}: {
  reasons: readonly string[];
  notes: readonly (string | null)[];
  reporters?: readonly string[];
}) {
  const named = notes.flatMap((note, i) => (note ? [{ note, reporter: reporters?.[i] ?? null }] : []));
  const written = reporters ? named : [...new Map(named.map((one) => [one.note, one])).values()];
  return (
    <>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {[...new Set(reasons)].map((reason) => (
          <li key={reason} className="theirs rounded-lg bg-danger-soft px-2 py-0.5 text-sm text-danger">
            {reason}
          </li>
        ))}
      </ul>
      {written.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1 text-sm">
          {written.map(({ note, reporter }) => (
            <li key={reporter ?? note} className="theirs border-s-2 ps-3 whitespace-pre-line">
              {note}
              {reporter && <bdi className="text-soft"> {reporter}</bdi>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
