import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { EmptyState } from "../../ui/states.tsx";

const known = ["invalid_client", "invalid_redirect_uri", "temporarily_unavailable"] as const;

/** Says why an app's request can't continue. The text depends on the error's code alone: anyone can write an address. */
export function ProblemView() {
  const { t } = useText();
  const { error } = useSearch();
  const code = known.find((name) => name === error);
  return (
    <EmptyState drawing="failed" isPage title={t("apps.problem")}>
      {t(code ? `apps.problem.${code}` : "apps.problem.other")}
    </EmptyState>
  );
}
