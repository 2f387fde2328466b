import Type from "typebox";
import { Provider } from "../account-resources.ts";
import { Bio, Code, DisplayName, Email, fieldsOf, NewPassword, Ok, Username } from "../fields.ts";
import { picture, required } from "../files.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope, sessionOnly, signedIn } from "../operation.ts";
import { User } from "../resources.ts";
import { nullable, optional, privateText } from "../schema.ts";

const area = "Identity";
const IdToken = privateText(1, 10_000, {
  description: "As the provider issued it.",
  examples: ["header.claims.signature"],
});
const SecondFactor = optional(nullable(Code));
const session = "Sets the session cookie.";

export const me = operation({
  name: "me",
  area,
  route: "GET /api/auth/me",
  access: signedIn,
  answer: { user: User },
  tool: "own",
  description: "The account that the credential belongs to.",
});

export const signUp = operation({
  name: "signUp",
  area,
  route: "POST /api/auth/signup",
  access: anyone,
  body: { email: Email, username: Username, password: NewPassword },
  answer: { user: User },
  errors: ["email_taken", "username_taken", "invalid_name", "rate_limited"],
  tool: "none",
  description: `Open an account for a person. ${session}`,
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
          "The address or the username. Either this or `username` is needed; this one counts first.",
        examples: ["ada@example.org"],
      }),
    ),
    username: optional(
      nullable(privateText(1, limits.email), {
        description: "The username or the address, where `email` is left out.",
      }),
    ),
    password: privateText(1, limits.password.max, { examples: ["correct horse battery"] }),
    code: SecondFactor,
  },
  answer: { user: User },
  errors: ["unauthorized", "second_factor_required", "rate_limited"],
  tool: "none",
  description: `Begin a session. Either field, \`email\` or \`username\`, may hold either of the two. ${session}`,
});

export const logOut = operation({
  name: "logOut",
  area,
  route: "POST /api/auth/logout",
  access: sessionOnly,
  answer: { ok: Ok },
  whileSuspended: true,
  description:
    "End the session, here and on the server. Out of an agent's session it leads back to one's own, where that was opened in the same browser.",
});

export const beginSignIn = operation({
  name: "beginSignIn",
  area,
  route: "POST /api/auth/nonce",
  access: anyone,
  answer: { nonce: Type.String({ examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"] }) },
  errors: ["rate_limited"],
  tool: "none",
  description:
    "A nonce to ask a provider's ID token for. It is bound to this browser by a cookie, and good for ten minutes and one sign-in.",
});

export const listProviders = operation({
  name: "listProviders",
  area,
  route: "GET /api/auth/providers",
  access: anyone,
  query: { fields: fieldsOf(Provider) },
  answer: { providers: Type.Array(Provider) },
  tool: "none",
  description:
    "The providers by which one can sign in here, and what a page needs to ask each for an ID token; none where none is configured.",
});

export const signInWithGoogle = operation({
  name: "signInWithGoogle",
  area,
  route: "POST /api/auth/google",
  access: anyone,
  body: { idToken: IdToken, code: SecondFactor },
  answer: { user: User },
  errors: ["unauthorized", "second_factor_required", "email_taken", "not_found", "rate_limited"],
  tool: "none",
  description: `Sign in with a Google ID token, which serves once; the first time opens an account. ${session}`,
});

export const signInWithApple = operation({
  name: "signInWithApple",
  area,
  route: "POST /api/auth/apple",
  access: anyone,
  body: {
    idToken: IdToken,
    fullName: optional(privateText(0, limits.fullName, { examples: ["Ada Lovelace"] })),
    code: SecondFactor,
  },
  answer: { user: User },
  errors: ["unauthorized", "second_factor_required", "email_taken", "not_found", "rate_limited"],
  tool: "none",
  description: `Sign in with an Apple ID token, which serves once; the first time opens an account, named by \`fullName\`. ${session}`,
});

export const editProfile = operation({
  name: "editProfile",
  area,
  route: "PATCH /api/users/profile",
  access: scope("profile:write"),
  body: { displayName: optional(DisplayName), bio: optional(Bio) },
  answer: { user: User },
  tool: "own",
  description: "Change the display name or bio. Null clears a field; leaving it out keeps it.",
});

export const setAvatar = operation({
  name: "setAvatar",
  area,
  route: "POST /api/users/avatar",
  access: scope("profile:write"),
  files: { image: required(picture({ bytes: limits.imageBytes, description: "The new avatar." })) },
  answer: { user: User },
  errors: ["file_too_large"],
  effect: "overwrites",
  description: "Give the account a new avatar, in place of the one before.",
});
