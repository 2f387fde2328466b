import type { Delivery } from "@tandem/contract/webhooks";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { deliveriesQuery } from "../../data/account.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { Badge, SkeletonLines } from "./panel.tsx";

/** Milliseconds between two polls while a delivery is waiting. */
const POLL_INTERVAL = 3_000;

/** A webhook's deliveries and their results. */
export function Deliveries({ id, enabled }: { id: number; enabled: boolean }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const log = useInfiniteQuery({
    ...deliveriesQuery(useApi(), id),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.deliveries.some((delivery) => delivery.state === "waiting")
        ? POLL_INTERVAL
        : false,
  });
  // The state above the log depends on these results.
  useEffect(() => {
    if (log.data) void queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
  }, [log.data, queryClient]);
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? [];
  if (log.isPending) return <SkeletonLines count={2} />;
  if (deliveries.length === 0)
    return <p className="rounded-xl bg-sunken p-4 text-sm text-soft">{t("account.noDeliveries")}</p>;
  return (
    <div className="rounded-xl bg-sunken px-4 py-1">
      <ul aria-label={t("account.deliveries")}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={id} delivery={delivery} enabled={enabled} />
        ))}
      </ul>
      {log.hasNextPage && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => log.fetchNextPage()}
          busy={log.isFetchingNextPage}
        >
          {t("common.more")}
        </Button>
      )}
    </div>
  );
}

function DeliveryRow({
  webhook,
  delivery,
  enabled,
}: {
  webhook: number;
  delivery: Delivery;
  enabled: boolean;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { id, type, state, attempts, status, error, createdAt } = delivery;
  const retry = useAction((api) => api.retryDelivery({ id: webhook, deliveryId: id }), {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks", "deliveries", webhook] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-edge/30 py-2 text-sm first:border-t-0">
      <Badge good={state === "delivered"} bad={state === "failed"}>
        {t(`account.delivery.${state}`)}
      </Badge>
      <span className="min-w-0 flex-1 basis-40">
        <span className="font-medium">
          {type === "test" ? t("account.type.test") : t(`account.type.${type}`)}
        </span>
        <span className="block text-soft">
          <Time at={createdAt} /> · {t("account.attempts", { attempts })}
          {status !== null && ` · HTTP ${status}`}
          {error && <span className="theirs"> · {error}</span>}
        </span>
      </span>
      {enabled && (
        <Button
          size="small"
          variant="quiet"
          className="min-h-10"
          onClick={() => retry.mutate()}
          busy={retry.isPending}
        >
          {t("account.retry")}
        </Button>
      )}
    </li>
  );
}
