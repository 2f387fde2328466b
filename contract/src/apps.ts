import Type, { type Static } from "typebox";
import { Id, nullable, oneOf } from "./schema.ts";

export const App = Type.Object(
  {
    name: Type.String({ "x-user-text": true, examples: ["Claude"] }),
    host: nullable(Type.String(), {
      description:
        "The host that published the app's description or, for an app that isn't verified, that receives access. Null for an app on a device.",
      examples: ["claude.ai"],
    }),
    isVerified: Type.Boolean({
      description: "Whether the app's name comes from this host. Otherwise the app chose it without proof.",
    }),
  },
  { $id: "App", description: "An app that someone authorized by OAuth." },
);
export type App = Static<typeof App>;

/** Where an app gets its access: on a website, on the device in use, or on another device that shows a code. */
export const receivers = ["website", "this_device", "other_device"] as const;

export const AuthorizationRequest = Type.Object(
  {
    app: App,
    receiver: oneOf(receivers, {
      description:
        "Where the app gets its access. On `this_device`, any program could use the app's name. On `other_device`, someone else may have sent you the code.",
    }),
    redirectHost: nullable(Type.String(), {
      description: "The website that gets access; null for an app on a device.",
      examples: ["claude.ai"],
    }),
    scopes: Type.String({
      description: "Comma-separated; empty for an app that only reads.",
      examples: ["posts:write,comments:write"],
    }),
    approvalAccounts: Type.Array(Id, {
      description:
        "Those of your accounts for which the app has a key that needs your approval. Another key for one of them needs it, too, unless you choose otherwise.",
      examples: [[]],
    }),
    days: Type.Integer({ description: "Days after which the app's access ends.", examples: [90] }),
  },
  { $id: "AuthorizationRequest", description: "What an app asks for." },
);
export type AuthorizationRequest = Static<typeof AuthorizationRequest>;
