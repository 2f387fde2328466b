import type { Transporter } from "nodemailer";
import type { Config, MailConfig } from "../config.ts";
import { traceStep } from "../tracing/tracing.ts";

/** A plain-text email. */
export interface Email {
  to: string;
  subject: string;
  text: string;
  /** Where mail programs turn off mails of this kind (RFC 8058), for those that can be turned off. */
  unsubscribeUrl?: string;
}

export interface Mailer {
  /** Whether emails are sent or at least logged. */
  readonly delivers: boolean;
  /** Resolves once the mail server has accepted it. Throws {@link UndeliverableEmail} if retrying won't help. */
  send(email: Email): Promise<void>;
}

/** The recipient's address permanently rejects mail. */
export class UndeliverableEmail extends Error {}

interface Log {
  info(facts: object, message: string): void;
}

/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends email over SMTP. If no server is configured, emails are logged, but only by a service that is reachable from
 * this machine alone, because they contain links that give access to accounts. `baseUrl` is the service's public URL.
 */
export function openMailer({ mail, host }: Config, log: Log, baseUrl: () => string): Mailer {
  if (mail) return bySmtp(mail);
  return {
    get delivers() {
      return mail === null && isLoopback(host) && isLoopback(new URL(baseUrl()).hostname);
    },
    async send({ to, text }) {
      if (this.delivers)
        log.info({ to, text }, "email not sent because MAIL_URL is not set; this is its text");
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
    async send(email) {
      transport ??= openTransport(url).catch((error) => {
        // The next email tries again.
        transport = undefined;
        throw error;
      });
      const sender = await transport;
      await traceStep(
        () => ({
          name: "send mail",
          kind: "CLIENT",
          attributes: { "server.address": new URL(url).hostname },
        }),
        () => deliver(sender, from, email),
      );
    },
  };
}

/** Loads the library with the first email. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { username, hostname } = new URL(url);
  return createTransport({
    url,
    ...TIMEOUTS,
    // Never sends a password over an unencrypted connection.
    requireTLS: username !== "" && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function deliver(
  transport: Transporter,
  from: string,
  { to, subject, text, unsubscribeUrl }: Email,
): Promise<void> {
  try {
    await transport.sendMail({
      from,
      // As an object and in the envelope, because a string would be parsed as a list of addresses.
      to: { name: "", address: to },
      envelope: { from: addressIn(from), to: [to] },
      subject,
      text,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribeUrl && {
          "List-Unsubscribe": `<${unsubscribeUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
    });
  } catch (error) {
    throw isFinal(error) ? new UndeliverableEmail("The address rejects mail", { cause: error }) : error;
  }
}

/** The address in `Tandem <post@example.org>` or a bare address. */
function addressIn(from: string): string {
  return /<([^<>]*)>$/.exec(from)?.[1] ?? from;
}

/** Only a 5xx response to the recipient's address is permanent; other errors may be temporary. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 500 } = error as { code?: string; responseCode?: number };
  return code === "EENVELOPE" && responseCode >= 500;
}
