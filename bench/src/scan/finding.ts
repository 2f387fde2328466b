/** Something that a tool reports. */
export interface Finding {
  tool: string;
  /** One line: what, and where. */
  text: string;
}

/** Findings that aren't faults, each with the reason. Anything else makes the scan fail. */
const explained: { tool: string; text: RegExp; reason: string }[] = [];

/** The reason why a finding isn't a fault; null if there is none. */
export function explanationOf({ tool, text }: Finding): string | null {
  return explained.find((one) => one.tool === tool && one.text.test(text))?.reason ?? null;
}
