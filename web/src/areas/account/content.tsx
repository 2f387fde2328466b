import { useQuery } from "@tanstack/react-query";
import { aiContents } from "../../data/choices.plain.ts";
import { preferencesQuery, useSetPreferences } from "../../data/preferences.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { ChoiceRow } from "./choice-row.tsx";
import { Lines, Panel } from "./panel.tsx";

const kinds = ["aiPosts", "aiComments", "aiNotifications"] as const;

/** How much of what AI wrote one wants to see. */
export function ContentSection() {
  const { t } = useText();
  const { data: preferences } = useQuery(preferencesQuery(useApi()));
  const prefer = useSetPreferences();
  return (
    <Panel
      title={t("account.ai")}
      says={
        <RichText
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
            onChoose={(value) => prefer({ [kind]: value })}
          />
        ))
      ) : (
        <Lines count={3} />
      )}
    </Panel>
  );
}
