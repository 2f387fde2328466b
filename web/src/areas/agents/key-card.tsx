import type { Key } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { Deadline, Time, useNow } from "../../ui/time.tsx";
import { ApprovalField } from "./approval-field.tsx";
import { CapsForm } from "./caps-form.tsx";
import { Chip } from "./chip.tsx";
import { KeyQuota } from "./key-quota.tsx";

/** An API key: its scopes, its quotas, and the owner's controls. */
export function KeyCard({ apiKey, heading: Heading = "h3" }: { apiKey: Key; heading?: "h2" | "h3" }) {
  const { t } = useText();
  const now = useNow();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [isRevoking, setRevoking] = useState(false);
  const { id, name, hint, scopes, tier, paused, approval, createdAt, lastUsedAt, expiresAt } = apiKey;
  const edit = useAction(
    (api, change: { paused?: boolean; approval?: boolean }) => api.editKey({ id, ...change }),
    {
      onSuccess: () => invalidateAgents(queryClient),
    },
  );
  const revoke = useAction((api) => api.revokeKey({ id }), {
    onSuccess: () => {
      setRevoking(false);
      invalidateAgents(queryClient, id);
      show(t("agents.revoked"));
    },
  });
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  const pauseLabel = t(paused ? "agents.resume" : "agents.pause");
  return (
    <li className="card-flush flex flex-col gap-4 p-4">
      <div className="flex gap-3 max-sm:flex-col sm:items-start sm:justify-between">
        <div className="min-w-0">
          <Heading className="theirs-heading font-semibold">{name}</Heading>
          <p className="text-sm text-soft">
            <code>{hint}</code> · {t("agents.createdAt")} <Time at={createdAt} />
            {" · "}
            {lastUsedAt ? (
              <>
                {t("agents.lastUsed")} <Time at={lastUsedAt} />
              </>
            ) : (
              t("agents.neverUsed")
            )}
            {expiresAt && (
              <>
                {" · "}
                {t(isExpired ? "agents.expired" : "agents.expires")} <Deadline at={expiresAt} />
              </>
            )}
          </p>
          <p className="mt-2 flex flex-wrap gap-1.5">
            {isExpired ? (
              <Chip tone="warn">{t("agents.expiredKey")}</Chip>
            ) : (
              <Chip tone="good">{t(`agents.tierName.${tier}`)}</Chip>
            )}
            {apiKey.app && <Chip>{t("agents.app")}</Chip>}
            {paused && !isExpired && <Chip tone="warn">{t("agents.paused")}</Chip>}
            {scopes === "" ? (
              <Chip>{t("agents.readOnly")}</Chip>
            ) : (
              scopes.split(",").map((scope) => <Chip key={scope}>{scope}</Chip>)
            )}
          </p>
        </div>
        <div className="flex shrink-0 gap-2">
          {!isExpired && (
            <Button
              size="small"
              busy={edit.isPending}
              aria-label={`${pauseLabel}: ${name}`}
              onClick={() => edit.mutate({ paused: !paused })}
            >
              {pauseLabel}
            </Button>
          )}
          <Button
            size="small"
            variant="danger"
            aria-label={`${t("agents.revoke")}: ${name}`}
            onClick={() => setRevoking(true)}
          >
            {t("agents.revoke")}
          </Button>
        </div>
      </div>
      {/* An expired key can do nothing any more, so nothing about it can be set. */}
      {!isExpired && (
        <>
          <KeyQuota keyId={id} />
          <ApprovalField checked={approval} onChange={(approval) => edit.mutate({ approval })} />
          <CapsForm apiKey={apiKey} />
        </>
      )}
      <LazyConfirmDialog
        open={isRevoking}
        onClose={() => setRevoking(false)}
        onConfirm={() => revoke.mutate()}
        busy={revoke.isPending}
        title={t("agents.revokeTitle", { name })}
        description={t("agents.revokeDescription")}
        action={t("agents.revoke")}
      />
    </li>
  );
}
