import { stringAt } from "./clean/json.ts";

/**
 * Appends a poll's options to a text, one a line.
 * @param name the property of an option that has its text
 */
export function withPoll(text: string | null, options: unknown[], name: string): string {
  const lines = options.flatMap((option) => stringAt(option, name) ?? []).map((option) => `- ${option}`);
  return [text, lines.join("\n")].filter(Boolean).join("\n\n");
}
