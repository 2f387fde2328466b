/** Something that a tool reports. */
export interface Finding {
  tool: string;
  /** One line: what, and where. */
  text: string;
}

/** Findings that aren't faults, each with the reason. Anything else makes the scan fail. */
const explained: { tool: string; text: RegExp; reason: string }[] = [
  {
    tool: "ffuf paths",
    text: /: \/(search|login|signup|shop|about|policy|live|verify|developers|return|creators|offline|transparency|connect|communities|rules) answers 200$/,
    reason: "Pages that everyone may see.",
  },
  {
    tool: "ffuf paths",
    text: /^(signed out|key): \/(admin answers 403|\w+ answers 401)$/,
    reason: "Pages for members and admins, which others can't see.",
  },
  {
    tool: "ffuf paths",
    text: /^session: \/(admin|blocks|messages|settings|agents|friends|analytics|me|drafts|notifications|keys|compose|following|lists|claim|device) answers 200$/,
    reason: "Pages of the admin who is signed in.",
  },
  {
    tool: "ffuf paths",
    text: /: \/(robots\.txt|favicon\.ico|opensearch\.xml|feed\.rss|sitemap\.xml|llms\.txt|manifest\.webmanifest) answers 200$/,
    reason: "Documents for programs.",
  },
  { tool: "ffuf paths", text: /: \/mcp answers 405$/, reason: "The MCP endpoint takes POST only." },
  {
    tool: "ffuf paths",
    text: /: \/metrics answers 200$/,
    reason:
      "Metrics answer programs on the same machine, as the scan is, and others only with METRICS_TOKEN.",
  },
  {
    tool: "ffuf paths",
    text: /: \/\S*(\.\.|%2e%2e)\S* answers 400$/i,
    reason: "Paths that lead upward are refused.",
  },
  {
    tool: "wapiti",
    text: /^Cross Site Request Forgery: .*Lack of anti CSRF token$/,
    reason:
      "Writes that another site triggers are refused by Origin and Sec-Fetch-Site, without tokens in forms.",
  },
  {
    tool: "wapiti",
    text: /X-XSS-Protection is not set$/,
    reason: "Browsers have removed this header; the content security policy does its task.",
  },
  {
    tool: "wapiti",
    text: /Strict-Transport-Security is not set$/,
    reason: "It is sent under https; the scan uses http.",
  },
];

/** The reason why a finding isn't a fault; null if there is none. */
export function explanationOf({ tool, text }: Finding): string | null {
  return explained.find((one) => one.tool === tool && one.text.test(text))?.reason ?? null;
}
