import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";
import { runTool } from "./run-tool.ts";
import type { Target } from "./target.ts";

/**
 * All modules except those that need the internet: `ssrf` (its endpoint; what leaves the service is tested in
 * `server/src/outgoing`), `wapp` and `nikto` (their databases). `buster` does what ffuf does here.
 */
const modules =
  "backup,blindsql,brute_login_form,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss," +
  "redirect,shellshock,sql,xss,xxe";

interface Report {
  vulnerabilities: Record<string, Entry[]>;
  anomalies: Record<string, Entry[]>;
}
interface Entry {
  method: string;
  path: string;
  info: string;
  parameter: string;
}

/** Wapiti from the pages, and from every operation that reads, once signed out and once signed in. */
export async function runWapiti(target: Target, scratch: string, seconds: number): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const as of ["signed out", "session"] as const) {
    const reads = (await target.requests(as)).filter(
      ({ method, url }) => method === "GET" && url.search !== "",
    );
    const starts = reads.flatMap(({ url }) => ["-s", url.href]);
    const report = join(scratch, `wapiti-${as.replace(" ", "-")}.json`);
    const store = join(scratch, `wapiti-${as.replace(" ", "-")}`);
    const { cookie } = target.callers[as] as { cookie?: string };
    const half = seconds / 2;
    const output = await runTool(
      "wapiti",
      [
        ...["-u", `${target.baseUrl}/`, "--scope", "domain", "-m", modules, "-f", "json", "-o", report],
        ...[
          "--store-session",
          store,
          "--store-config",
          store,
          "--flush-session",
          "--no-bugreport",
          "-v",
          "1",
        ],
        ...[
          "-d",
          "3",
          "--max-links-per-page",
          "20",
          "--max-files-per-dir",
          "10",
          "--max-parameters",
          "20",
          "-t",
          "10",
        ],
        ...["--max-scan-time", String(half / 3), "--max-attack-time", String(half / 30), "-S", "normal"],
        ...(cookie ? ["-H", `Cookie: ${cookie}`] : []),
        ...starts,
      ],
      half,
    );
    await writeFile(`${report}.log`, output);
    const { vulnerabilities, anomalies } = JSON.parse(
      await readFile(report, "utf8").catch(() => "{}"),
    ) as Partial<Report>;
    if (!vulnerabilities)
      findings.set(as, { tool: "wapiti", text: `${as}: no report: ${output.slice(-200)}` });
    for (const [kind, entries] of Object.entries({ ...vulnerabilities, ...anomalies }))
      for (const { method, path, info } of entries) {
        const text = `${kind}: ${method} ${path.replace(/\/\d+/g, "/{id}").replace(/\?.*/, "")}: ${info}`;
        findings.set(text, { tool: "wapiti", text });
      }
  }
  return [...findings.values()];
}
