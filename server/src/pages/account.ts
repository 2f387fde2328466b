import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { operations } from "@tandem/contract/operations";
import type { FastifyInstance } from "fastify";
import { HTML, ready, sendReady } from "../discovery/send.ts";

/** A page that a mailed link leads to: nothing happens before somebody presses its button, for programs follow links, too. */
interface LinkPage {
  title: string;
  says: string;
  /** Its fields, as HTML. */
  fields: string;
  button: string;
  done: string;
  /** What the button calls, with the token and the fields. */
  to: string;
}

const { min, max } = limits.password;

export const accountPages: Record<string, LinkPage> = {
  "/account/confirm": {
    title: "Confirm your address",
    says: "One press, and the address is yours.",
    fields: "",
    button: "Confirm",
    done: "The address is confirmed.",
    to: operations.confirmEmail.path,
  },
  "/account/reset": {
    title: "Set a new password",
    says: "All sessions of the account will end.",
    fields: `<p><label>New password <input name="password" type="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" required></label></p>`,
    button: "Set password",
    done: "The password is set. You can log in with it now.",
    to: operations.resetPassword.path,
  },
};

/** The token stands behind the #, so it was sent to no server by opening the page. */
const script = `
const form = document.forms[0], said = document.querySelector("output");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) });
  const answer = await window.fetch(form.dataset.to, { method: "POST", headers: { "content-type": "application/json" }, body });
  said.textContent = answer.ok ? form.dataset.done : (await answer.json()).error;
  form.hidden = answer.ok;
});`;

const headers = {
  "content-security-policy": `default-src 'none'; script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** Where the links in mails lead, and what is done there. */
export function mountAccountPages(server: FastifyInstance): void {
  for (const [path, page] of Object.entries(accountPages)) {
    const document = ready(htmlOf(page), HTML);
    server.get(path, (request, reply) => sendReady(request, reply.headers(headers), document));
  }
}

function htmlOf({ title, says, fields, button, done, to }: LinkPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Tandem</title></head>
<body>
<main>
<h1>${title}</h1>
<form data-to="${to}" data-done="${done}"><p>${says}</p>${fields}<button>${button}</button></form>
<output></output>
<noscript>This page needs JavaScript; or send the token of its address to ${to}.</noscript>
</main>
<script>${script}</script>
</body>
</html>
`;
}
