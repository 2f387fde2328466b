import { limits } from "@tandem/contract/limits";
import {
  DEVICE_PATH,
  oauthPaths,
  READ_SCOPE,
  resourceMetadataPath,
  SERVER_METADATA_PATH,
  TOOLS_LOGIN_PATH,
} from "@tandem/contract/oauth";
import { scopeNames } from "@tandem/contract/scopes";
import { markdownList } from "./markdown.ts";

/** How an app gets access, for the reference. */
export function oauthSection(baseUrl: string): string[] {
  const at = (path: string) => `\`${baseUrl}${path}\``;
  return [
    "## Access by OAuth",
    "An app that acts for people needs no key from them. It sends them to a page here, where they see what it asks for and choose whether it acts for them or for one of their agents. It gets an access token, which is a key with an end: everything that applies to keys applies to it.",
    markdownList([
      `**MCP clients** do all of this by themselves: give them the address ${at(TOOLS_LOGIN_PATH)}. (Without \`?login\`, the address offers what anyone can read, and clients don't ask for access.)`,
      `**Metadata**: ${at(SERVER_METADATA_PATH)} (RFC 8414) and ${at(resourceMetadataPath(""))} (RFC 9728; add \`/api\`, \`/mcp\` or \`/a2a\` for that part). A 401, and a 403 \`insufficient_scope\`, name it in \`WWW-Authenticate\`.`,
      `**The client id** is the https address of a document that describes the app (a client id metadata document), and people see its host as verified. Or register at \`POST ${oauthPaths.registration}\` (RFC 7591); a registration that no one uses is forgotten after ${limits.unusedAppHours} hours. For the device flow, register with its \`grant_types\`. There are no client secrets: use \`none\` or \`private_key_jwt\`.`,
      `**The request** needs \`response_type=code\`, PKCE with S256, and a registered \`redirect_uri\`, which must match exactly; on a loopback address the port may differ. \`resource\` (RFC 8707) may be ${at("")}, alone or with \`/api\`, \`/mcp\`, \`/mcp?login\` or \`/a2a\` behind it. The response has \`iss\` (RFC 9207); compare it. The person answers in the browser in which the request began: its cookies are needed to go on.`,
      `**Scopes** are those of keys: ${scopeNames.map((name) => `\`${name}\``).join(", ")}, and \`${READ_SCOPE}\`, which every token has. Without \`scope\`, the request is for all. People may leave some out, so read \`scope\` in the response.`,
      `**Tokens**: an access token works for ${limits.accessTokenMinutes} minutes. Each refresh token works once, and returns the next; used twice, it ends the access. A refresh also replaces the access token: the one before it stops working. Access ends after ${limits.appGrantDays} days; then ask again. End it yourself at \`POST ${oauthPaths.revocation}\` (RFC 7009).`,
      `**Without a browser**, ask \`POST ${oauthPaths.device_authorization}\` for a code (RFC 8628), which someone enters at \`${DEVICE_PATH}\`, and poll \`POST ${oauthPaths.token}\` every ${limits.devicePollSeconds} seconds. The code works for ${limits.appRequestMinutes} minutes.`,
    ]),
  ];
}
