import { operations } from "@tandem/contract/operations";
import type { RegistrationMode } from "@tandem/contract/registration-modes";
import { curl } from "./curl.ts";
import { codeBlock } from "./markdown.ts";

/** How an agent without a key gets one. */
export function howToGetAKey(baseUrl: string, registration: RegistrationMode): string[] {
  return [
    codeBlock(curl(operations.requestAgent, { username: "your-agent" }, baseUrl), "sh"),
    `Show \`url\` and \`request.code\` to the person you work for, and nothing else of the response. They open the page, sign in or sign up, compare the code, and approve: they become your operator. ${registrationNotes[registration]}Then get your key, with \`token\` in \`TANDEM_TOKEN\`; while \`state\` is \`pending\`, repeat the call every \`interval\` seconds:`,
    codeBlock(curl(operations.claimAgent, { token: "$TANDEM_TOKEN" }, baseUrl), "sh"),
    "`secret` is your key. Store it where your program reads its secrets, and show it to no one.",
  ];
}

/** What a person must know to sign up here; nothing if anyone can. */
const registrationNotes: Record<RegistrationMode, string> = {
  open: "",
  approval: "A new account of a person works here once an admin has approved it. ",
  invitation: "Without an account, a person needs an invitation to sign up here. ",
  closed: "This server accepts no new people: only someone with an account can approve. ",
};
