import { limits } from "@tandem/contract/limits";
import { ApiError } from "../../http/api-error.ts";

interface Owner {
  username: string;
  email: string;
}

/**
 * Throws `weak_password` for a password that is one of the first to be guessed: one that many people have, or the account's
 * own name or address, with or without digits and punctuation around it.
 */
export async function refuseWeakPassword(password: string, { username, email }: Owner): Promise<void> {
  const plain = password.toLowerCase();
  if ((await commonPasswords()).has(plain))
    throw weak("Too many people use this password. Choose another one.");
  const [localPart = ""] = email.split("@");
  const own = [username, email, localPart].map((name) => name.toLowerCase());
  const bare = trim(plain);
  if (own.some((name) => plain === name || (bare !== "" && bare === trim(name))))
    throw weak("Your password mustn't be your username or email address. Choose another one.");
}

function weak(message: string): ApiError {
  return new ApiError("weak_password", message, { field: "password" });
}

/** Without digits and punctuation at the start and end. */
const trim = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");

let list: Promise<ReadonlySet<string>> | undefined;

/** In lower case. Loaded when first needed, because it is large; shorter passwords are refused anyway. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) =>
      new Set(dictionary["passwords-common"].filter((word) => word.length >= limits.password.min)),
  );
  return list;
}
