import { useQuery } from "@tanstack/react-query";
import { aiContents, sensitiveContents } from "../../data/choices.plain.ts";
import { preferencesQuery, useSetPreferences } from "../../data/preferences.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Panel, SkeletonLines } from "./panel.tsx";

const preferenceNames = ["aiPosts", "aiComments", "aiNotifications"] as const;

/** Preferences for AI content and sensitive posts. */
export function ContentSection() {
  return (
    <>
      <AiContent />
      <SensitivePosts />
    </>
  );
}

function SensitivePosts() {
  const { t } = useText();
  const { data: preferences } = useQuery(preferencesQuery(useApi()));
  const setPreferences = useSetPreferences();
  return (
    <Panel title={t("account.sensitive")} description={t("account.sensitiveDescription")}>
      {preferences ? (
        <RadioGroup
          singleRow
          legend={t("account.sensitivePosts")}
          options={sensitiveContents.map((value) => ({ value, label: t(`account.sensitive.${value}`) }))}
          selected={preferences.sensitivePosts}
          onSelect={(sensitivePosts) => setPreferences({ sensitivePosts })}
        />
      ) : (
        <SkeletonLines count={1} />
      )}
    </Panel>
  );
}

function AiContent() {
  const { t } = useText();
  const { data: preferences } = useQuery(preferencesQuery(useApi()));
  const setPreferences = useSetPreferences();
  return (
    <Panel
      title={t("account.ai")}
      description={
        <RichText
          text="account.aiDescription"
          parts={{ policy: <Link to="/policy" className="font-semibold text-accent hover:underline" /> }}
        />
      }
    >
      {preferences ? (
        preferenceNames.map((name) => (
          <RadioGroup
            key={name}
            singleRow
            legend={t(`account.${name}`)}
            options={aiContents.map((value) => ({ value, label: t(`account.ai.${value}`) }))}
            selected={preferences[name]}
            onSelect={(value) => setPreferences({ [name]: value })}
          />
        ))
      ) : (
        <SkeletonLines count={3} />
      )}
    </Panel>
  );
}
