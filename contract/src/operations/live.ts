import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, sessionOnly } from "../operation.ts";
import { Live } from "../resources.ts";
import { nullable, publicLine } from "../schema.ts";

const area = "Live";

export const listLives = operation({
  name: "listLives",
  area,
  route: "GET /api/live",
  access: anyone,
  query: { fields: fieldsOf(Live) },
  answer: { lives: Type.Array(Live) },
  description: `Who broadcasts now, the latest to start first; at most ${limits.longList}. Where a streaming server tells of its streams, whoever it hasn't named for ${limits.liveSilenceSeconds} seconds is no longer listed.`,
});

const Ingest = nullable(
  Type.Object({
    url: Type.String({
      description: "The server to send to.",
      examples: ["rtmp://live.example.org/live"],
    }),
    streamKey: Type.String({
      description: "What broadcasting software calls a stream key, as a whole.",
      examples: ["8f14e45fceea167a5a36dedd?key=…"],
    }),
  }),
  {
    description:
      "Where to send the stream. It is shown this once, and holds until `DELETE /api/live`; null where one was given before, and where no streaming server is configured.",
    "x-secret": true,
  },
);

export const startLive = operation({
  name: "startLive",
  area,
  route: "POST /api/live",
  access: sessionOnly,
  body: { title: publicLine(limits.liveTitle, { examples: ["Open studio"] }) },
  answer: { live: Live, ingest: Ingest },
  description:
    "Go live. Where a streaming server is configured, `ingest` says where to send the stream, and the caller is listed while it runs; else the caller is listed at once. Doing so again changes the title.",
});

export const endLive = operation({
  name: "endLive",
  area,
  route: "DELETE /api/live",
  access: sessionOnly,
  answer: { ended: Type.Literal(true) },
  description:
    "Take the caller off the live list. The stream key is void: a stream under it is cut off, and to start again gives another.",
});
