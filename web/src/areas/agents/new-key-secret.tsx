import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { curlProgram, mcpClients } from "../../shared/clients.ts";
import { Code } from "../../ui/copy.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";

const programs = { ...mcpClients, curl: curlProgram };
const names = Object.keys(programs) as (keyof typeof programs)[];

/** A new key's secret, which is shown only once, with configurations to paste. */
export function NewKeySecret({ secret }: { secret: string }) {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  const [client, setClient] = useState<keyof typeof programs>("claudeCode");
  return (
    <div className="flex flex-col gap-4">
      <p className="flex gap-3 rounded-xl bg-person-soft p-3 text-sm text-person">
        <TriangleAlert className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
        {t("agents.secretDescription")}
      </p>
      <Code text={secret} title={t("agents.secret")} />
      <div>
        <p className="mb-2 text-sm font-semibold">{t("agents.connect")}</p>
        <div role="tablist" aria-label={t("agents.connect")} className="mb-2 flex flex-wrap gap-1">
          {names.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={client === name}
              aria-controls="snippet"
              onClick={() => setClient(name)}
              className="min-h-9 rounded-full px-3 text-sm font-semibold text-soft hover:bg-sunken aria-selected:bg-ink aria-selected:text-ground"
            >
              {programs[name].title}
            </button>
          ))}
        </div>
        <div role="tabpanel" id="snippet" aria-labelledby={`tab-${client}`}>
          <Code text={programs[client].text(baseUrl, secret)} title={programs[client].destination} />
        </div>
      </div>
    </div>
  );
}
