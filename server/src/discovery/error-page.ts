import { areaPath, documents } from "@tandem/contract/documents";
import { type ErrorCode, errors } from "@tandem/contract/errors";
import { hintOf } from "@tandem/contract/hints";
import { operationList } from "@tandem/contract/operations";
import { errorShape } from "./about.ts";
import { errorCodesOf } from "./error-codes.ts";
import { heading, type Inline, list, type Page, paragraph } from "./prose.ts";

/** Above this number, the operations that return an error aren't listed: it can happen nearly everywhere. */
const MOST_LISTED = 20;

/** What an error code means, what to do, and where it occurs. */
export function errorPage(code: ErrorCode, baseUrl: string): Page {
  const { status, description } = errors[code];
  const link = (path: string, text: string): Inline => ({ href: `${baseUrl}${path}`, text });
  const found = operationList.filter((op) => errorCodesOf(op).includes(code));
  return {
    title: `${code} - errors of Tandem`,
    blocks: [
      heading(1, code),
      paragraph(`Status ${status}. ${description}`),
      heading(2, "What to do"),
      paragraph(hintOf(code)),
      paragraph("If the response has its own `hint`, it is more precise."),
      ...(found.length > 0 && found.length <= MOST_LISTED
        ? [
            heading(2, "Where it occurs"),
            list(
              found.map(({ method, path, area }) => [
                `\`${method} ${path}\`, see `,
                link(areaPath(area), area),
              ]),
            ),
          ]
        : []),
      paragraph(
        `Every error has the shape ${errorShape}. All codes are in `,
        link(documents.reference, "the reference"),
        ".",
      ),
    ],
  };
}
