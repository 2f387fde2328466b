import Type from "typebox";
import { ParkedSession, Provider } from "../account-resources.ts";
import {
  Bio,
  Code,
  DisplayName,
  Email,
  fieldsOf,
  NewPassword,
  Ok,
  ProfileLinks,
  Username,
} from "../fields.ts";
import { picture, required } from "../files.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope, sessionOnly, signedIn } from "../operation.ts";
import { User } from "../resources.ts";
import { nullable, optional, privateText, publicText } from "../schema.ts";

const area = "Identity";
const IdToken = privateText(1, 10_000, {
  description: "The ID token, as the provider issued it.",
  examples: ["header.claims.signature"],
});
const SecondFactor = optional(nullable(Code));
const session = "Sets the session cookie.";
const InvitationCode = optional(
  nullable(privateText(1, limits.invitationCode), {
    description: "The code of an invitation. `GET /api/auth/registration` says whether you need one.",
    examples: ["q8Jr1v0cQ2mXw8yqfC2vYb"],
  }),
);
/** What signing up returns. */
const newUser = {
  user: nullable(User, { description: "Null if the account waits for an admin's approval." }),
};
const refusals = ["registration_closed", "invitation_required", "invalid_invitation"] as const;

export const me = operation({
  name: "me",
  area,
  route: "GET /api/auth/me",
  access: signedIn,
  response: { user: User },
  exposure: "tool",
  description: "Get the account that the credential belongs to.",
});

export const signUp = operation({
  name: "signUp",
  area,
  route: "POST /api/auth/signup",
  access: anyone,
  body: {
    email: Email,
    username: Username,
    password: NewPassword,
    invitation: InvitationCode,
    reason: optional(
      nullable(publicText(0, limits.signUpReason), {
        description: "Why you want to join, for the admins who approve new accounts.",
        examples: ["I write about engines."],
      }),
    ),
    proof: optional(
      nullable(privateText(1, limits.signUpProof), {
        description:
          "The solution of the challenge from `GET /api/auth/registration`, if there is one: `{challenge, solution: {counter, derivedKey}}` as JSON in base64.",
      }),
    ),
  },
  response: newUser,
  errors: [
    "email_taken",
    "username_taken",
    "invalid_name",
    "weak_password",
    ...refusals,
    "proof_required",
    "rate_limited",
  ],
  exposure: "hidden",
  description: `Create an account for a person. ${session} If the registration mode is \`approval\`, the account waits, and no session begins.`,
});

export const logIn = operation({
  name: "logIn",
  area,
  route: "POST /api/auth/login",
  access: anyone,
  body: {
    email: optional(
      nullable(privateText(1, limits.email), {
        description:
          "The email address or the username. Either this or `username` is required; this one takes precedence.",
        examples: ["ada@example.org"],
      }),
    ),
    username: optional(
      nullable(privateText(1, limits.email), {
        description: "The username or the email address, if `email` is left out.",
      }),
    ),
    password: privateText(1, limits.password.max, { examples: ["correct horse battery"] }),
    code: SecondFactor,
  },
  response: { user: User },
  errors: ["unauthorized", "second_factor_required", "approval_pending", "rate_limited"],
  exposure: "hidden",
  description: `Log in with a password. Both \`email\` and \`username\` accept an email address or a username. ${session}`,
});

export const logOut = operation({
  name: "logOut",
  area,
  route: "POST /api/auth/logout",
  access: sessionOnly,
  response: { ok: Ok },
  whileSuspended: true,
  description:
    "End the session. Logging out of an agent's session doesn't return to your own: log in for that.",
});

export const readParkedSession = operation({
  name: "readParkedSession",
  area,
  route: "GET /api/auth/parked",
  access: anyone,
  response: { parked: nullable(ParkedSession) },
  exposure: "hidden",
  description:
    "Get whose session is parked in this browser: that of the person who switched to an agent in it. Null if there is none. To return, they log in.",
});

export const beginSignIn = operation({
  name: "beginSignIn",
  area,
  route: "POST /api/auth/nonce",
  access: anyone,
  response: { nonce: Type.String({ examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"] }) },
  errors: ["rate_limited"],
  exposure: "hidden",
  description:
    "Create a nonce for requesting an ID token from a provider. It is bound to the browser by a cookie and valid for ten minutes and one sign-in.",
});

export const listProviders = operation({
  name: "listProviders",
  area,
  route: "GET /api/auth/providers",
  access: anyone,
  query: { fields: fieldsOf(Provider) },
  response: { providers: Type.Array(Provider) },
  exposure: "hidden",
  description:
    "List the configured identity providers, with what a page needs to request an ID token from each.",
});

export const signInWithGoogle = operation({
  name: "signInWithGoogle",
  area,
  route: "POST /api/auth/google",
  access: anyone,
  body: { idToken: IdToken, code: SecondFactor, invitation: InvitationCode },
  response: newUser,
  errors: ["unauthorized", "second_factor_required", "email_taken", ...refusals, "not_found", "rate_limited"],
  exposure: "hidden",
  description: `Sign in with a Google ID token, which is valid once. The first sign-in creates an account. ${session}`,
});

const NamePart = optional(nullable(privateText(0, limits.fullName)));
/** A text, or what Apple's libraries return. */
const FullName = Type.Union(
  [
    privateText(0, limits.fullName),
    Type.Object({
      givenName: NamePart,
      familyName: NamePart,
      middleName: NamePart,
      firstName: NamePart,
      lastName: NamePart,
      namePrefix: NamePart,
      nameSuffix: NamePart,
      nickname: NamePart,
    }),
    Type.Null(),
  ],
  {
    description: "The name that Apple gave with the first sign-in: a text, or the object with its parts.",
    examples: ["Ada Lovelace"],
  },
);

export const signInWithApple = operation({
  name: "signInWithApple",
  area,
  route: "POST /api/auth/apple",
  access: anyone,
  body: {
    idToken: IdToken,
    fullName: optional(FullName),
    code: SecondFactor,
    invitation: InvitationCode,
  },
  response: newUser,
  errors: ["unauthorized", "second_factor_required", "email_taken", ...refusals, "not_found", "rate_limited"],
  exposure: "hidden",
  description: `Sign in with an Apple ID token, which is valid once. The first sign-in creates an account, with \`fullName\` as its name. ${session}`,
});

export const editProfile = operation({
  name: "editProfile",
  area,
  route: "PATCH /api/users/profile",
  access: scope("profile:write"),
  body: { displayName: optional(DisplayName), bio: optional(Bio), links: optional(ProfileLinks) },
  response: { user: User },
  errors: ["rate_limited"],
  exposure: "tool",
  description:
    "Edit the display name, bio or links. Null clears a field; omitted fields don't change. A person's name that a key writes is shown, and marked, only on the profile.",
});

export const checkProfileLinks = operation({
  name: "checkProfileLinks",
  area,
  route: "POST /api/users/profile/links/check",
  access: scope("profile:write"),
  response: { user: User },
  errors: ["rate_limited"],
  effect: "sets",
  description:
    'Check now whether the profile\'s links point back to it, for example after you added `rel="me"` to your page. The result appears in `links` soon after.',
});

export const setAvatar = operation({
  name: "setAvatar",
  area,
  route: "POST /api/users/avatar",
  access: scope("profile:write"),
  files: { image: required(picture({ bytes: limits.imageBytes, description: "The new avatar." })) },
  response: { user: User },
  errors: ["file_too_large"],
  effect: "overwrites",
  description: "Set the account's avatar, replacing the previous one.",
});

export const setBanner = operation({
  name: "setBanner",
  area,
  route: "POST /api/users/banner",
  access: scope("profile:write"),
  files: { image: required(picture({ bytes: limits.imageBytes, description: "The new banner." })) },
  response: { user: User },
  errors: ["file_too_large"],
  effect: "overwrites",
  description:
    "Set the picture across the top of the profile, replacing the previous one. It is cropped to three times its height, at most 1500 × 500 pixels.",
});

export const deleteBanner = operation({
  name: "deleteBanner",
  area,
  route: "DELETE /api/users/banner",
  access: scope("profile:write"),
  response: { user: User },
  whileSuspended: true,
  description: "Remove the profile's banner, if there is one.",
});
