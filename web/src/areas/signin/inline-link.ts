/** A link within a sentence. */
export const inlineLink = "font-semibold text-accent underline-offset-4 hover:underline";
