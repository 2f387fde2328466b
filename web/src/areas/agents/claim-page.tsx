import { useSuspenseQuery } from "@tanstack/react-query";
import { agentRequestQuery } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { PageTitle } from "../../ui/states.tsx";
import { ClaimForm } from "./claim-form.tsx";
import { CodeForm } from "./enter-code.tsx";

/** Where a person decides about an agent that asks for an account. */
export function ClaimPage() {
  const { t } = useText();
  const { code = "" } = useParams();
  const { data: request } = useSuspenseQuery(agentRequestQuery(useApi(), code));
  if (request) return <ClaimForm key={code} request={request} />;
  return (
    <div className="column">
      <PageTitle description={t("agents.claimGoneDescription")}>{t("agents.claimGone")}</PageTitle>
      <div className="card-flush p-4 sm:p-6">
        <CodeForm />
      </div>
    </div>
  );
}
