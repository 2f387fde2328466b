/* Small drawings for empty states, one per situation. People are warm and round, AI is cool and square. */
import type { ReactNode } from "react";

const person = { className: "fill-person-soft stroke-person", strokeWidth: 2 } as const;
const agent = { className: "fill-agent-soft stroke-agent", strokeWidth: 2 } as const;
const thing = { className: "fill-raised stroke-edge", strokeWidth: 2, strokeLinejoin: "round" } as const;

const line = { strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round", fill: "none" } as const;
const personLine = { ...line, className: "stroke-person" };
const agentLine = { ...line, className: "stroke-agent" };
const thingLine = { ...line, className: "stroke-edge" };

/** A head and shoulders. */
const someone = (x: number) => (
  <>
    <circle cx={x} cy="18" r="9" {...person} />
    <path d={`M${x - 16} 50c0-10 7-17 16-17s16 7 16 17Z`} {...person} strokeLinejoin="round" />
  </>
);

/** A robot's head and shoulders. */
const robot = (x: number) => (
  <>
    <rect x={x - 9} y="9" width="18" height="18" rx="5" {...agent} />
    <path d={`M${x - 15} 50V40a6 6 0 0 1 6-6h18a6 6 0 0 1 6 6v10Z`} {...agent} strokeLinejoin="round" />
    <path d={`M${x - 3.5} 17v2m7-2v2`} {...agentLine} />
  </>
);

const speech = (
  <>
    <path
      d="M20 6h32a10 10 0 0 1 10 10v6a10 10 0 0 1-10 10H32l-11 9v-9h-1a10 10 0 0 1-10-10v-6A10 10 0 0 1 20 6Z"
      {...person}
      strokeLinejoin="round"
    />
    <path
      d="M50 24h26a8 8 0 0 1 8 8v6a8 8 0 0 1-8 8v7l-9-7H50a8 8 0 0 1-8-8v-6a8 8 0 0 1 8-8Z"
      {...agent}
      strokeLinejoin="round"
    />
    <path d="M53 32h20M53 38h12" {...agentLine} />
  </>
);

const drawings = {
  /** A person and an agent side by side. */
  tandem: (
    <>
      <circle cx="34" cy="28" r="22" {...person} />
      <rect x="44" y="8" width="40" height="40" rx="11" {...agent} />
    </>
  ),
  /** Nothing was found: a lens over a card by AI. */
  search: (
    <>
      <rect x="40" y="6" width="44" height="40" rx="11" {...agent} />
      <path d="M58 18h16M62 27h12" {...agentLine} />
      <circle cx="38" cy="26" r="18" {...person} />
      <path d="m25 39-11 11" {...personLine} strokeWidth="4" />
    </>
  ),
  /** Nothing is new: a silent bell between a person and an agent. */
  bell: (
    <>
      <circle cx="17" cy="34" r="11" {...person} />
      <rect x="69" y="24" width="20" height="20" rx="6" {...agent} />
      <path d="M48 7c-9 0-14 6-14 15v9l-4 8h36l-4-8v-9c0-9-5-15-14-15Z" {...thing} />
      <path d="M43 45a5 5 0 0 0 10 0" {...thingLine} />
    </>
  ),
  /** Nothing is left to decide: both are checked. */
  done: (
    <>
      <circle cx="28" cy="28" r="20" {...person} />
      <path d="m20 28 6 6 11-12" {...personLine} />
      <rect x="50" y="9" width="38" height="38" rx="11" {...agent} />
      <path d="m61 28 6 6 11-12" {...agentLine} />
    </>
  ),
  /** No one to show: a person, a gap and an agent. */
  people: (
    <>
      {someone(17)}
      <circle cx="48" cy="18" r="9" {...thingLine} strokeDasharray="3 4" />
      <path d="M33 50c0-10 6-17 15-17s15 7 15 17" {...thingLine} strokeDasharray="3 4" />
      {robot(79)}
    </>
  ),
  /** No messages or comments: two speech bubbles. */
  messages: speech,
  /** Nothing is written: a page with a pencil. */
  draft: (
    <>
      <path d="M24 5h28l14 14v27a5 5 0 0 1-5 5H24a5 5 0 0 1-5-5V10a5 5 0 0 1 5-5Z" {...thing} />
      <path d="M52 5v14h14M28 27h20M28 36h12" {...thingLine} />
      <path d="m54 43 20-20 6 6-20 20-8 2Z" {...person} strokeLinejoin="round" />
    </>
  ),
  /** Nothing is saved: a bookmark on a card. */
  saved: (
    <>
      <rect x="14" y="9" width="50" height="38" rx="9" {...thing} />
      <path d="M24 21h18M24 30h12" {...thingLine} />
      <path d="M52 5h22a3 3 0 0 1 3 3v36l-14-9-14 9V8a3 3 0 0 1 3-3Z" {...person} strokeLinejoin="round" />
    </>
  ),
  /** Nothing is liked: a heart. */
  liked: (
    <>
      <rect x="44" y="14" width="38" height="34" rx="10" {...agent} />
      <path
        d="M38 49C24 40 14 31 14 20a12 12 0 0 1 24-4 12 12 0 0 1 24 4c0 11-10 20-24 29Z"
        {...person}
        strokeLinejoin="round"
      />
    </>
  ),
  /** Nothing is for sale: a shopping bag. */
  shop: (
    <>
      <path d="M20 17h36l4 31a3 3 0 0 1-3 3H19a3 3 0 0 1-3-3Z" {...person} strokeLinejoin="round" />
      <path d="M29 23v-8a9 9 0 0 1 18 0v8" {...personLine} />
      <path d="M62 14h14l8 8-16 18-10-9" {...agent} strokeLinejoin="round" />
      <circle cx="75" cy="21" r="2" {...agentLine} />
    </>
  ),
  /** No one is live: a camera that isn't recording. */
  live: (
    <>
      <rect x="14" y="12" width="46" height="34" rx="9" {...person} />
      <path d="m60 26 20-11v28L60 32Z" {...agent} strokeLinejoin="round" />
      <circle cx="25" cy="22" r="3" {...personLine} />
    </>
  ),
  /** No video: a frame with a play sign. */
  video: (
    <>
      <rect x="14" y="9" width="68" height="38" rx="10" {...agent} />
      <path d="M42 19v18l16-9Z" {...person} strokeLinejoin="round" />
    </>
  ),
  /** Nothing is counted yet: a chart with empty columns. */
  chart: (
    <>
      <path d="M12 50h72" {...thingLine} />
      <rect x="20" y="30" width="14" height="20" rx="4" {...person} />
      <rect x="41" y="16" width="14" height="34" rx="4" {...agent} />
      <rect x="62" y="24" width="14" height="26" rx="4" {...thing} strokeDasharray="3 4" />
    </>
  ),
  /** No agent or key: an agent that holds a key. */
  key: (
    <>
      <rect x="12" y="9" width="38" height="38" rx="11" {...agent} />
      <path d="M25 24v3m12-3v3M26 36h10" {...agentLine} />
      <circle cx="63" cy="28" r="8" {...person} />
      <path d="M71 28h16m-5 0v6m-6-6v4" {...personLine} />
    </>
  ),
  /** No sources: a feed on its way in. */
  sources: (
    <>
      <rect x="48" y="9" width="38" height="38" rx="11" {...agent} />
      <path d="M58 22h18M58 31h11" {...agentLine} />
      <circle cx="16" cy="42" r="4" {...person} />
      <path d="M12 28a18 18 0 0 1 18 18M12 16a30 30 0 0 1 30 30" {...personLine} />
    </>
  ),
  /** Not for everyone: a lock. */
  lock: (
    <>
      <rect x="28" y="23" width="40" height="28" rx="8" {...agent} />
      <path d="M36 23v-6a12 12 0 0 1 24 0v6" {...personLine} />
      <path d="M48 34v7" {...agentLine} />
    </>
  ),
  /** There is no such page: a path that ends. */
  lost: (
    <>
      <path d="M48 51V9" {...thingLine} />
      <path d="M48 10h26l8 7-8 7H48Z" {...agent} strokeLinejoin="round" />
      <path d="M48 27H24l-8 7 8 7h24Z" {...person} strokeLinejoin="round" />
      <path d="M34 51h28" {...thingLine} />
    </>
  ),
  /** There is no network: a cloud that nothing from below reaches. */
  offline: (
    <>
      <path d="M38 27a9 9 0 0 1-1-18 13 13 0 0 1 24 1 8.6 8.6 0 0 1-1 17Z" {...thing} strokeDasharray="3 4" />
      <path d="m35 32-6 4m32-4 6 4" {...thingLine} strokeDasharray="0.1 4.5" />
      <circle cx="15" cy="42" r="11" {...person} />
      <rect x="70" y="31" width="22" height="22" rx="7" {...agent} />
    </>
  ),
  /** Something failed: two parts that don't connect. */
  failed: (
    <>
      <path d="M8 28h12" {...personLine} />
      <path d="M20 15h8a13 13 0 0 1 0 26h-8Z" {...person} strokeLinejoin="round" />
      <path d="M41 22h8m-8 12h8" {...personLine} />
      <path d="M76 41H63a3 3 0 0 1-3-3V18a3 3 0 0 1 3-3h13Z" {...agent} strokeLinejoin="round" />
      <path d="M76 28h12" {...agentLine} />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type DrawingName = keyof typeof drawings;

export default function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg viewBox="0 0 96 56" aria-hidden="true" className="h-16 animate-[appear_0.2s]">
      {drawings[name]}
    </svg>
  );
}
