import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { until } from "./ports.ts";

/** A mail as it was received. */
export interface Received {
  /** The SMTP envelope. */
  envelope: { from: string; to: string[] };
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** By name, in lower case. */
  headers: Record<string, string>;
  /** The token of the link in it; empty if there is none. */
  token: string;
}

/** A local SMTP server that records mails. */
export class MailServer implements AsyncDisposable {
  readonly received: Received[] = [];
  /** If set, recipients are refused with this response. */
  refuses: { code: number; says: string } | null = null;
  readonly #server: SMTPServer;
  #port = 0;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      onRcptTo: (_address, _session, done) => done(this.#refusal()),
      onData: (stream, session, done) => {
        const pieces: Buffer[] = [];
        stream.on("data", (piece: Buffer) => pieces.push(piece));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          const envelope = {
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
          };
          this.#keep(envelope, Buffer.concat(pieces)).then(() => done(), done);
        });
      },
    });
    // Ignore clients that disconnect early.
    this.#server.on("error", () => {});
  }

  static async start(port = 0): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((resolve) => server.#server.listen(port, "127.0.0.1", resolve));
    server.#port = (server.#server.server.address() as AddressInfo).port;
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** Settings for a service that sends its mail here. */
  get env(): Record<string, string> {
    return { MAIL_URL: `smtp://127.0.0.1:${this.#port}`, MAIL_FROM: "Tandem <post@tandem.example>" };
  }

  /** Waits for a mail to an address with a matching subject, and returns the latest. */
  async mailTo(address: string, subject: RegExp): Promise<Received> {
    const fits = (mail: Received) => mail.to.includes(address) && subject.test(mail.subject);
    await until(async () => this.received.some(fits));
    return this.received.findLast(fits) as Received;
  }

  #refusal(): Error | null {
    if (!this.refuses) return null;
    return Object.assign(new Error(this.refuses.says), { responseCode: this.refuses.code });
  }

  async #keep(envelope: Received["envelope"], bytes: Buffer): Promise<void> {
    const { from, to = [], subject = "", text = "", headers } = await PostalMime.parse(bytes);
    const token = /#token=([\w-]+)/.exec(text)?.[1] ?? "";
    this.received.push({
      envelope,
      from: from?.address ?? "",
      to: to.map(({ address = "" }) => address),
      subject,
      text,
      headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
      token,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
