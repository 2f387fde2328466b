import { useQuery } from "@tanstack/react-query";
import { aiContents } from "../../data/choices.plain.ts";
import { preferencesQuery, useSetPreferences } from "../../data/preferences.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { topicsOf, withTopics } from "./chosen.ts";
import { Step } from "./step.tsx";

/** Second step: how much of what AI wrote someone wants to see, which the settings can say more exactly. */
export const AiContents = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(preferencesQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("welcome.ai"), unlisted: true }),
  View: AiContentsView,
});

function AiContentsView() {
  const { t } = useText();
  const topics = topicsOf(useSearch());
  const { data: preferences } = useQuery(preferencesQuery(useApi()));
  const setPreferences = useSetPreferences();
  return (
    <Step
      number={2}
      title={t("welcome.ai")}
      description={t("welcome.aiDescription")}
      next={
        <ButtonLink to="/welcome/people" search={withTopics(topics)} variant="primary">
          {t("welcome.next")}
        </ButtonLink>
      }
    >
      <RadioGroup
        legend={t("welcome.aiLegend")}
        options={aiContents.map((value) => ({
          value,
          label: t(`welcome.ai.${value}`),
          hint: t(`welcome.aiHint.${value}`),
        }))}
        selected={preferences?.aiPosts}
        onSelect={(value) => setPreferences({ aiPosts: value, aiComments: value })}
      />
    </Step>
  );
}
