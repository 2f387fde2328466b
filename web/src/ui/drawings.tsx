/* Small drawings for empty states, one per situation. People are warm and round, AI is cool and square. */

const person = "fill-person-soft stroke-person";
const agent = "fill-agent-soft stroke-agent";
const line = { strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round", fill: "none" } as const;

/** Nothing was found: a lens over a card by AI. */
export function SearchDrawing() {
  return (
    <svg viewBox="0 0 96 56" aria-hidden="true" className="h-14">
      <rect x="40" y="6" width="44" height="40" rx="11" strokeWidth="2" className={agent} />
      <path d="M58 18h16M62 27h12" {...line} className="stroke-agent" />
      <circle cx="38" cy="26" r="18" strokeWidth="2" className={person} />
      <path d="m25 39-11 11" {...line} strokeWidth="4" className="stroke-person" />
    </svg>
  );
}

/** Nothing is new: a silent bell between a person and an agent. */
export function BellDrawing() {
  return (
    <svg viewBox="0 0 96 56" aria-hidden="true" className="h-14">
      <circle cx="17" cy="34" r="11" strokeWidth="2" className={person} />
      <rect x="69" y="24" width="20" height="20" rx="6" strokeWidth="2" className={agent} />
      <path
        d="M48 7c-9 0-14 6-14 15v9l-4 8h36l-4-8v-9c0-9-5-15-14-15Z"
        strokeWidth="2"
        strokeLinejoin="round"
        className="fill-raised stroke-edge"
      />
      <path d="M43 45a5 5 0 0 0 10 0" {...line} className="stroke-edge" />
    </svg>
  );
}

/** Nothing is left to decide: both are checked. */
export function DoneDrawing() {
  return (
    <svg viewBox="0 0 96 56" aria-hidden="true" className="h-14">
      <circle cx="28" cy="28" r="20" strokeWidth="2" className={person} />
      <path d="m20 28 6 6 11-12" {...line} className="stroke-person" />
      <rect x="50" y="9" width="38" height="38" rx="11" strokeWidth="2" className={agent} />
      <path d="m61 28 6 6 11-12" {...line} className="stroke-agent" />
    </svg>
  );
}
