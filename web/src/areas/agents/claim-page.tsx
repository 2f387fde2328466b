import { useSuspenseQuery } from "@tanstack/react-query";
import { agentRequestQuery } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { ClaimForm } from "./claim-form.tsx";
import { EnterCode } from "./enter-code.tsx";

/** Where a person decides about an agent that asks for an account. */
export function ClaimPage() {
  const { t } = useText();
  const { code = "" } = useParams();
  const { data: request } = useSuspenseQuery(agentRequestQuery(useApi(), code));
  if (request) return <ClaimForm key={code} request={request} />;
  return (
    <EnterCode
      key={code}
      title={t("agents.claimGone")}
      description={t("agents.claimGoneDescription")}
      code={code}
    />
  );
}
