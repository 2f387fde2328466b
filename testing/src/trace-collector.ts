import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as it was received. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentId: string;
  name: string;
  /** OpenTelemetry's number: 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, unknown>;
  /** 2 for an error. */
  status: number;
}

/** An OpenTelemetry collector, which receives OTLP over HTTP in protobuf. */
export class TraceCollector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** The attributes of the last sender. */
  resource: Record<string, unknown> = {};
  headers: IncomingHttpHeaders = {};
  /** Whether it takes requests without ever responding. */
  hangs = false;
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (this.hangs) return;
    const isTraces = request.method === "POST" && request.url === "/v1/traces";
    if (isTraces && request.headers["content-type"] === "application/x-protobuf") {
      this.headers = request.headers;
      this.#receive(Buffer.concat(chunks));
    }
    response.writeHead(isTraces ? 200 : 404, { "content-type": "application/x-protobuf" }).end();
  });

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    await new Promise<void>((resolve) => collector.#server.listen(0, "127.0.0.1", resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, with the names of their parents. */
  trace(traceId: string): (ReceivedSpan & { parent: string | undefined })[] {
    const all = this.spans.filter((span) => span.traceId === traceId);
    const nameOf = (id: string) => all.find(({ spanId }) => spanId === id)?.name;
    return all.map((span) => ({ ...span, parent: nameOf(span.parentId) }));
  }

  /** Field numbers are those of opentelemetry-proto's ExportTraceServiceRequest. */
  #receive(bytes: Buffer): void {
    for (const resourceSpans of messages(bytes, 1)) {
      for (const resource of messages(resourceSpans, 1)) this.resource = attributesOf(resource, 1);
      for (const scopeSpans of messages(resourceSpans, 2))
        for (const span of messages(scopeSpans, 2)) this.spans.push(spanOf(span));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function spanOf(bytes: Buffer): ReceivedSpan {
  const [status] = messages(bytes, 15);
  return {
    traceId: bytesOf(bytes, 1).toString("hex"),
    spanId: bytesOf(bytes, 2).toString("hex"),
    parentId: bytesOf(bytes, 4).toString("hex"),
    name: bytesOf(bytes, 5).toString(),
    kind: Number(numberOf(bytes, 6) ?? 0),
    attributes: attributesOf(bytes, 9),
    status: status ? Number(numberOf(status, 3) ?? 0) : 0,
  };
}

function attributesOf(bytes: Buffer, field: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(bytes, field).map((pair) => {
      const [value = Buffer.alloc(0)] = messages(pair, 2);
      const [[kind, content] = [0, null]] = fieldsOf(value);
      return [bytesOf(pair, 1).toString(), kind === 1 ? String(content) : Number(content)];
    }),
  );
}

type Field = [number: number, value: Buffer | bigint];

const messages = (bytes: Buffer, field: number): Buffer[] =>
  fieldsOf(bytes).flatMap(([number, value]) => (number === field && Buffer.isBuffer(value) ? [value] : []));

const bytesOf = (bytes: Buffer, field: number): Buffer => messages(bytes, field)[0] ?? Buffer.alloc(0);

const numberOf = (bytes: Buffer, field: number) => fieldsOf(bytes).find(([number]) => number === field)?.[1];

/** The fields of a protobuf message, in order. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = { 0: varint, 1: () => take(8), 2: () => take(Number(varint())), 5: () => take(4) }[tag & 7];
    if (!value) throw new Error(`unknown wire type in tag ${tag}`);
    fields.push([tag >> 3, value()]);
  }
  return fields;
}
