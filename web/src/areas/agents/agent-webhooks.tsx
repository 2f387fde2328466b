import { useQuery } from "@tanstack/react-query";
import { webhooksQuery } from "../../data/account.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";

/** Where an agent's notifications are sent, if anywhere. It may have created these webhooks itself. */
export function AgentWebhooks({ agentId }: { agentId: number }) {
  const { t } = useText();
  const { data = [] } = useQuery(webhooksQuery(useApi()));
  const webhooks = data.filter((webhook) => webhook.agentId === agentId);
  if (webhooks.length === 0) return null;
  return (
    <section className="mt-8">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2 px-4 sm:px-0">
        <h2 className="text-lg font-bold">{t("agents.webhooks")}</h2>
        <Link to="/settings/webhooks" className="underline">
          {t("agents.webhooksManage")}
        </Link>
      </div>
      <ul className="card-flush ">
        {webhooks.map(({ id, url }) => (
          <li key={id} className="theirs border-b px-4 py-2.5 text-sm break-all last:border-b-0">
            {url}
          </li>
        ))}
      </ul>
    </section>
  );
}
