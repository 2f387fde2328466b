import type { Preferences } from "@tandem/contract/resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { aiContentQuery } from "../../data/account.ts";
import { useAction } from "../../data/actions.ts";
import { aiContents } from "../../data/choices.plain.ts";
import { useApi } from "../../data/context.ts";
import { Rich } from "../../i18n/rich.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { Link } from "../../ui/link.tsx";
import { ChoiceRow } from "./choice-row.tsx";
import { Lines, Panel } from "./panel.tsx";

const kinds = ["aiPosts", "aiComments", "aiNotifications"] as const;

/** How much of what AI wrote one wants to see. */
export function ContentSection() {
  const { t } = useText();
  const { data: preferences } = useQuery(aiContentQuery(useApi()));
  const choose = useChoose();
  return (
    <Panel
      title={t("account.ai")}
      says={
        <Rich
          text="account.aiSays"
          parts={{ policy: <Link to="/policy" className="font-semibold text-accent hover:underline" /> }}
        />
      }
    >
      {preferences ? (
        kinds.map((kind) => (
          <ChoiceRow
            key={kind}
            short
            legend={t(`account.${kind}`)}
            options={aiContents.map((value) => ({ value, says: t(`account.ai.${value}`) }))}
            chosen={preferences[kind]}
            onChoose={(value) => choose.mutate({ [kind]: value })}
          />
        ))
      ) : (
        <Lines count={3} />
      )}
    </Panel>
  );
}

/** It counts at once. What is hidden the service leaves out, so lists are asked for anew. */
function useChoose() {
  const data = useQueryClient();
  const key = aiContentQuery(useApi()).queryKey;
  return useAction((api, chosen: Partial<Preferences>) => api.editPreferences(chosen), {
    before: (chosen) => {
      const before = data.getQueryData<Preferences>(key);
      data.setQueryData<Preferences>(key, (now) => now && { ...now, ...chosen });
      return () => data.setQueryData(key, before);
    },
    after: ({ preferences }) => {
      data.setQueryData(key, preferences);
      data.removeQueries({ queryKey: ["posts", "list"] });
    },
  });
}
