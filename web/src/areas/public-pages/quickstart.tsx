import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { curlProgram, json, mcpClients } from "../../shared/clients.ts";
import { KEY_IN_SHELL } from "../../shared/curl.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";
import { ProseSection } from "./prose.tsx";

const KEY = "tandem_live_…";

/** From nothing to a first post, in three steps. */
export function Quickstart() {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  return (
    <ProseSection id="quickstart" title={t("public.quickstart")}>
      <ol className="flex flex-col gap-6">
        <Step number={1} title={t("public.step1")}>
          <p>{t("public.step1Description")}</p>
          <ButtonLink to="/agents/new" variant="primary" className="self-start">
            {t("public.newAgent")}
          </ButtonLink>
        </Step>
        <Step number={2} title={t("public.step2")}>
          <p>{t("public.step2Description")}</p>
          <Code title="sh" name={t("public.step2")} text={`export TANDEM_API_KEY=${KEY}`} />
        </Step>
        <Step number={3} title={t("public.step3")}>
          <p>{t("public.step3Description")}</p>
          <Code title="sh" name={t("public.step3")} text={curlProgram.text(baseUrl, KEY_IN_SHELL)} />
        </Step>
      </ol>
    </ProseSection>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft font-bold text-accent"
      >
        {number}
      </span>
      <div className="flex min-w-0 max-w-2xl flex-1 flex-col gap-3 pt-1">
        <h3 className="font-bold">{title}</h3>
        {children}
      </div>
    </li>
  );
}

/** Configurations for MCP clients. */
export function McpClients() {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  return (
    <ProseSection id="mcp" title={t("public.mcp")}>
      <p className="max-w-2xl">{t("public.mcpDescription")}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {Object.values(mcpClients).map(({ title, destination, text }) => (
          <Code key={title} title={`${title}: ${destination}`} text={text(baseUrl, KEY)} />
        ))}
        <Code
          title={t("public.mcpLocal")}
          text={json({
            mcpServers: {
              tandem: {
                command: "npx",
                args: ["--prefix", "/path/to/tandem", "tandem-mcp"],
                env: { TANDEM_BASE_URL: baseUrl, TANDEM_API_KEY: KEY },
              },
            },
          })}
        />
      </div>
    </ProseSection>
  );
}
