import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, sessionOnly } from "../operation.ts";
import { Live } from "../resources.ts";
import { line } from "../schema.ts";

const area = "Live";

export const listLives = operation({
  name: "listLives",
  area,
  route: "GET /api/live",
  access: anyone,
  query: { fields: fieldsOf(Live) },
  answer: { lives: Type.Array(Live) },
  says: `Who broadcasts now, the latest to start first; at most ${limits.longList}.`,
});

export const startLive = operation({
  name: "startLive",
  area,
  route: "POST /api/live",
  access: sessionOnly,
  body: { title: line(limits.liveTitle, { examples: ["Open studio"] }) },
  answer: { live: Live },
  says: "List the caller as live. Doing so again changes the title.",
});

export const endLive = operation({
  name: "endLive",
  area,
  route: "DELETE /api/live",
  access: sessionOnly,
  answer: { ended: Type.Literal(true) },
  says: "Take the caller off the live list.",
});
