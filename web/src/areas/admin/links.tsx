import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { adminKey, blockedLinksQuery } from "../../data/admin.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage } from "./layout.tsx";

/** Blocked link domains. */
export function BlockedLinksPage() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { data: hosts, isPending } = useQuery(blockedLinksQuery(useApi()));
  const allow = useAction((api, host: string) => api.allowLink({ host }), {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: adminKey }),
  });
  return (
    <AdminPage section="links">
      <BlockLinkForm />
      {isPending && <SkeletonCards count={1} />}
      {hosts?.length === 0 && (
        <EmptyState drawing="done" title={t("admin.noLinks")}>
          {t("admin.noLinksDescription")}
        </EmptyState>
      )}
      <ul className="card-flush overflow-hidden empty:hidden">
        {hosts?.map(({ host, reason, createdAt }) => (
          <li
            key={host}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-3 last:border-b-0"
          >
            <span className="theirs font-semibold">{host}</span>
            {reason && <span className="theirs text-sm text-soft">{reason}</span>}
            <Time at={createdAt} className="text-sm text-soft" />
            <Button
              size="small"
              className="ms-auto"
              aria-label={t("admin.allowNamed", { host })}
              onClick={() => allow.mutate(host)}
            >
              {t("admin.allow")}
            </Button>
          </li>
        ))}
      </ul>
    </AdminPage>
  );
}

function BlockLinkForm() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const [host, setHost] = useState("");
  const [reason, setReason] = useState("");
  const deny = useAction((api) => api.denyLink({ host, reason: reason.trim() || null }), {
    inlineErrors: true,
    onSuccess: () => {
      setHost("");
      setReason("");
      void queryClient.invalidateQueries({ queryKey: adminKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deny.mutate();
  };
  return (
    <form onSubmit={submit} className="card-flush mb-4 flex flex-wrap items-start gap-3 p-4">
      <Field
        label={t("admin.host")}
        error={deny.error && errorMessage(deny.error, t)}
        value={host}
        onChange={(event) => setHost(event.target.value)}
        placeholder="spam.example"
        required
        autoCapitalize="none"
        autoComplete="off"
        className="min-w-48 flex-1"
      />
      <Field
        label={t("admin.reasonOptional")}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={limits.moderationReason}
        autoComplete="off"
        className="min-w-48 flex-1"
      />
      <Button type="submit" variant="primary" busy={deny.isPending} className="mt-6 min-h-11">
        {t("admin.deny")}
      </Button>
    </form>
  );
}
