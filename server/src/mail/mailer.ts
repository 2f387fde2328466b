import type { Transporter } from "nodemailer";
import type { Config, MailConfig } from "../config.ts";

/** A mail in plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Whether there is any point in writing a letter. */
  readonly delivers: boolean;
  /** Resolves once the mail server has taken it. Throws {@link Undeliverable} where to try again won't help. */
  send(letter: Letter): Promise<void>;
}

/** The address takes no mail, now or later. */
export class Undeliverable extends Error {}

interface Log {
  info(facts: object, message: string): void;
}

/** Milliseconds. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Mail over SMTP. Where none is set up, letters are shown in the log, but only by a service that nobody else can reach: a
 * log is no place for what opens accounts. `baseUrl` is where the world reaches the service.
 */
export function openMailer({ mail, host }: Config, log: Log, baseUrl: () => string): Mailer {
  if (mail) return bySmtp(mail);
  return {
    get delivers() {
      return mail === null && isLoopback(host) && isLoopback(new URL(baseUrl()).hostname);
    },
    async send({ to, text }) {
      if (this.delivers) log.info({ to, text }, "no mail is set up (MAIL_URL), so here is what it would say");
    },
  };
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

function bySmtp({ url, from }: MailConfig): Mailer {
  let transport: Promise<Transporter> | undefined;
  return {
    delivers: true,
    async send(letter) {
      transport ??= openTransport(url).catch((error) => {
        // The next mail tries again.
        transport = undefined;
        throw error;
      });
      await deliver(await transport, from, letter);
    },
  };
}

/** Loads the library with the first mail. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { username, hostname } = new URL(url);
  return createTransport({
    url,
    ...PATIENCE,
    // A password goes over no line that others can read.
    requireTLS: username !== "" && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function deliver(transport: Transporter, from: string, { to, subject, text }: Letter): Promise<void> {
  try {
    await transport.sendMail({
      from,
      // As an object and as the envelope: a text would be read as a list of addresses.
      to: { name: "", address: to },
      envelope: { from: addressIn(from), to: [to] },
      subject,
      text,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } catch (error) {
    throw isFinal(error) ? new Undeliverable("the address takes no mail", { cause: error }) : error;
  }
}

/** `Tandem <post@example.org>` or the address alone. */
function addressIn(from: string): string {
  return /<([^<>]*)>$/.exec(from)?.[1] ?? from;
}

/** What a server refuses of the addresses it refuses for good; what else goes wrong may be mended. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 500 } = error as { code?: string; responseCode?: number };
  return code === "EENVELOPE" && responseCode >= 500;
}
