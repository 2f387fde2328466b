import {
  type CompiledMessage,
  type CompiledMessageToken,
  compileMessage,
} from "@lingui/message-utils/compileMessage";
import { directionOf, isLocale } from "../shared/locales.ts";

const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

/**
 * Compiles the texts of a language. In right-to-left languages every text that is filled in is isolated, so that a Latin name, an
 * address or a time doesn't reorder the words and the punctuation around it.
 */
export function compileTexts(locale: string, texts: Record<string, string>): Record<string, CompiledMessage> {
  const finish = isLocale(locale) && directionOf(locale) === "rtl" ? isolateValues : same;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, finish(compileMessage(text))]));
}

const same = (message: CompiledMessage): CompiledMessage => message;

function isolateValues(message: CompiledMessage): CompiledMessage {
  return message.flatMap((token): CompiledMessageToken[] => {
    if (typeof token === "string") return [token];
    const [name, type, format] = token;
    if (type === undefined) return [FIRST_STRONG_ISOLATE, token, POP_DIRECTIONAL_ISOLATE];
    if (typeof format !== "object" || format === null) return [token];
    // The forms of a plural or a select, and the offset of a plural, which is a number.
    const forms = Object.entries(format).map(([form, text]) => [
      form,
      Array.isArray(text) ? isolateValues(text) : text,
    ]);
    return [[name, type, Object.fromEntries(forms)]];
  });
}
