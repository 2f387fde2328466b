import { limits } from "@tandem/contract/limits";
import type { SignUpRequest } from "@tandem/contract/registration";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { adminKey, signUpsQuery } from "../../data/admin.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage } from "./layout.tsx";

/** Sign-ups that wait for approval. */
export function SignUpsPage() {
  const { t } = useText();
  const list = useInfiniteQuery(signUpsQuery(useApi()));
  const requests = list.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <AdminPage section="signups">
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && requests.length === 0 && (
        <EmptyState drawing="done" title={t("admin.noSignups")}>
          {t("admin.noSignupsDescription")}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-3">
        {requests.map((request) => (
          <RequestCard key={request.id} {...request} />
        ))}
      </ul>
      <LoadMore list={list} />
    </AdminPage>
  );
}

function RequestCard({ id, username, displayName, email, reason, provider, createdAt }: SignUpRequest) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [note, setNote] = useState("");
  const name = fullName(username, displayName);
  const decided = (message: string) => () => {
    void queryClient.invalidateQueries({ queryKey: adminKey });
    show(message);
  };
  const approve = useAction((api) => api.approveSignUp({ id }), {
    onSuccess: decided(t("admin.signupApproved", { name })),
  });
  const refuse = useAction((api) => api.refuseSignUp({ id, reason: note.trim() || null }), {
    onSuccess: decided(t("admin.signupRefused", { name })),
  });
  const busy = approve.isPending || refuse.isPending;
  return (
    <li className="card-flush flex flex-col gap-3 p-4">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <LocalName username={username} displayName={displayName} />
        <span className="theirs text-sm wrap-anywhere text-soft">{email}</span>
        {provider && <span className="text-sm text-soft">{t("admin.signupBy", { provider })}</span>}
        <Time at={createdAt} className="ms-auto text-sm text-soft" />
      </p>
      {reason ? (
        <blockquote className="theirs rounded-xl bg-person-soft p-3 whitespace-pre-line">{reason}</blockquote>
      ) : (
        <p className="text-sm text-soft">{t("admin.signupNoReason")}</p>
      )}
      <TextField
        label={t("admin.signupNote")}
        hint={t("admin.signupNoteHint")}
        value={note}
        onValueChange={setNote}
        maxLength={limits.moderationReason}
        autoComplete="off"
      />
      <div className="flex gap-2">
        <Button
          variant="primary"
          busy={approve.isPending}
          disabled={busy}
          onClick={() => approve.mutate()}
          aria-label={t("admin.approveNamed", { name })}
        >
          {t("admin.approve")}
        </Button>
        <Button
          variant="danger"
          busy={refuse.isPending}
          disabled={busy}
          onClick={() => refuse.mutate()}
          aria-label={t("admin.refuseNamed", { name })}
        >
          {t("admin.refuse")}
        </Button>
      </div>
    </li>
  );
}
