import type { Block, Inline } from "./tree.ts";

/** Everything within paragraphs, headings and table cells, in the order of the text, each of which ends with a line break. */
export function* inlinesIn(blocks: readonly Block[]): Generator<Inline> {
  for (const run of runsIn(blocks)) {
    yield* within(run);
    yield "\n";
  }
}

function* runsIn(blocks: readonly Block[]): Generator<readonly Inline[]> {
  for (const block of blocks) {
    if (block.kind === "list") for (const item of block.items) yield* runsIn(item);
    else if (block.kind === "table") yield* block.rows.flat();
    else if (block.kind === "quote") yield* runsIn(block.children);
    else if ("children" in block) yield block.children;
  }
}

/** Inlines, each before those in it. */
export function* within(children: readonly Inline[]): Generator<Inline> {
  for (const child of children) {
    yield child;
    if (typeof child !== "string" && "children" in child) yield* within(child.children);
  }
}
