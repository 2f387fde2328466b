import type { Block } from "./tree.ts";

/**
 * The level of each heading in the page's outline, where `highest` is the highest. It follows which headings are below which, so that no
 * level is left out, whatever levels the author chose.
 */
export function outlineOf(blocks: readonly Block[], highest: number): Map<Block, number> {
  const levels = new Map<Block, number>();
  const above: number[] = [];
  for (const heading of headingsIn(blocks)) {
    while ((above.at(-1) ?? 0) >= heading.level) above.pop();
    levels.set(heading, Math.min(highest + above.length, 6));
    above.push(heading.level);
  }
  return levels;
}

function* headingsIn(blocks: readonly Block[]): Generator<Extract<Block, { kind: "heading" }>> {
  for (const block of blocks) {
    if (block.kind === "heading") yield block;
    else if (block.kind === "quote") yield* headingsIn(block.children);
    else if (block.kind === "list") for (const item of block.items) yield* headingsIn(item);
  }
}
