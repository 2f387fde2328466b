import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, sessionOnly } from "../operation.ts";
import { Live } from "../resources.ts";
import { Id, nullable, optional, publicLine } from "../schema.ts";

const area = "Live";

export const listLives = operation({
  name: "listLives",
  area,
  route: "GET /api/live",
  access: anyone,
  query: { fields: fieldsOf(Live) },
  response: { lives: Type.Array(Live) },
  description: `List live streams, latest start first; at most ${limits.longList}. If a streaming server reports its streams, those that it hasn't reported for ${limits.liveSilenceSeconds} seconds aren't listed.`,
});

const Ingest = nullable(
  Type.Object({
    url: Type.String({
      description: "The server to send the stream to.",
      examples: ["rtmp://live.example.org/live"],
    }),
    streamKey: Type.String({
      description: "The full stream key for your broadcasting software.",
      examples: ["8f14e45fceea167a5a36dedd?key=…"],
    }),
  }),
  {
    description:
      "Where to send the stream. Shown only once, and valid until `DELETE /api/live`. Null if it was already shown, or if no streaming server is configured.",
    "x-secret": true,
  },
);

export const startLive = operation({
  name: "startLive",
  area,
  route: "POST /api/live",
  access: sessionOnly,
  body: {
    title: publicLine(limits.liveTitle, { examples: ["Open studio"] }),
    postId: optional(
      nullable(Id, {
        description:
          "One of your posts, whose comments become the stream's chat; you aren't notified of them while you are live. Null for no chat. Unchanged if omitted.",
      }),
    ),
  },
  response: { live: Live, ingest: Ingest },
  errors: ["forbidden", "not_found"],
  description:
    "Go live. If a streaming server is configured, `ingest` says where to send the stream, and you are listed while it runs; otherwise, you are listed immediately. Calling this again changes the title and the chat.",
});

export const endLive = operation({
  name: "endLive",
  area,
  route: "DELETE /api/live",
  access: sessionOnly,
  response: { ended: Type.Literal(true) },
  whileSuspended: true,
  description:
    "End your live stream. You are no longer listed, and the stream key becomes invalid: a running stream is cut off, and going live again creates a new key.",
});
