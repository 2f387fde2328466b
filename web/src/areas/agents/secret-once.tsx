import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../data/context.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Copied } from "./copied.tsx";
import { snippetNames, snippets } from "./snippets.ts";

/** A key's secret, which nobody can show again, and what to paste where. */
export function SecretOnce({ secret }: { secret: string }) {
  const { t } = useText();
  const { baseUrl } = useApp();
  const [client, setClient] = useState<(typeof snippetNames)[number]>("claudeCode");
  return (
    <div className="flex flex-col gap-4">
      <p className="flex gap-3 rounded-xl bg-person-soft p-3 text-sm text-person">
        <TriangleAlert className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
        {t("agents.once")}
      </p>
      <Copied text={secret} label={t("agents.secret")} secret />
      <div>
        <p className="mb-2 text-sm font-semibold">{t("agents.connect")}</p>
        <div role="tablist" aria-label={t("agents.connect")} className="mb-2 flex flex-wrap gap-1">
          {snippetNames.map((name) => (
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
              {snippets[name].title}
            </button>
          ))}
        </div>
        <div role="tabpanel" id="snippet" aria-labelledby={`tab-${client}`}>
          <Copied text={snippets[client].text(baseUrl, secret)} label={snippets[client].where} />
        </div>
      </div>
    </div>
  );
}
