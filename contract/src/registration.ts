import Type, { type Static } from "typebox";
import { providerNames } from "./account-resources.ts";
import { limits } from "./limits.ts";
import { registrationModes } from "./registration-modes.ts";
import { nullableUserText, UserText, userText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

/* How people get accounts. */

export const Mode = oneOf(registrationModes, {
  description:
    "`open`: anyone can sign up. `approval`: a new account waits until an admin approves it, unless the person was invited. `invitation`: people need an invitation. `closed`: no one can sign up.",
});

const hex = (example: string) => Type.String({ description: "In hexadecimal.", examples: [example] });

/** In the format of ALTCHA, version 2. */
export const SignUpChallenge = Type.Object(
  {
    parameters: Type.Object({
      algorithm: Type.String({ examples: ["PBKDF2/SHA-256"] }),
      nonce: hex("9f86d081884c7d659a2feaa0c55ad015"),
      salt: hex("2c26b46b68ffc68ff99b453c1d304134"),
      cost: Type.Integer({ description: "Iterations of PBKDF2.", examples: [5000] }),
      keyLength: Type.Integer({ description: "Bytes of the derived key.", examples: [32] }),
      keyPrefix: hex("00"),
      expiresAt: Type.Integer({ description: "In seconds since 1970.", examples: [1_767_225_600] }),
    }),
    signature: hex("fcde2b2edba56bf408601fb721fe9b5c"),
  },
  {
    $id: "SignUpChallenge",
    description:
      "A proof-of-work challenge: find a 32-bit counter for which PBKDF2 with the password `nonce` + counter (4 bytes, big-endian) gives a key that begins with `keyPrefix`.",
  },
);
export type SignUpChallenge = Static<typeof SignUpChallenge>;

export const Invitation = Type.Object(
  {
    id: Id,
    code: Type.String({ examples: ["q8Jr1v0cQ2mXw8yqfC2vYb"] }),
    url: Type.String({
      description: "The link to share: the sign-up page with the code.",
      examples: ["https://tandem.example/signup#invitation=q8Jr1v0cQ2mXw8yqfC2vYb"],
    }),
    uses: Type.Integer({ description: "How many people can sign up with it.", examples: [1] }),
    used: Type.Integer({ minimum: 0, description: "How many have.", examples: [0] }),
    expiresAt: Time,
    createdAt: Time,
  },
  { $id: "Invitation", description: "An invitation to sign up." },
);
export type Invitation = Static<typeof Invitation>;

export const AnyInvitation = Type.Object(
  {
    ...Type.Omit(Invitation, ["code", "url"]).properties,
    createdBy: nullable(UserText, {
      description: "The username of who created it; null for the command line.",
      examples: ["ada_l"],
    }),
    createdByDisplayName: nullableUserText("Ada"),
  },
  { $id: "AnyInvitation", description: "An invitation as admins see it: without its code." },
);
export type AnyInvitation = Static<typeof AnyInvitation>;

export const SignUpRequest = Type.Object(
  {
    id: Id,
    username: userText("ada_l"),
    email: UserText,
    displayName: nullableUserText("Ada"),
    reason: nullable(UserText, {
      description: `Why they want to join, in at most ${limits.signUpReason} characters.`,
      examples: ["I write about engines."],
    }),
    provider: nullable(oneOf(providerNames), {
      description: "The identity provider that they signed in with; null for a password.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "SignUpRequest", description: "A sign-up that waits for an admin's approval." },
);
export type SignUpRequest = Static<typeof SignUpRequest>;
