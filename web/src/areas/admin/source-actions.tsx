import type { Source } from "@tandem/contract/sources";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { adminKey } from "../../data/admin.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";

/** What an admin can do with a source. */
export function SourceActions({ source: { id, name, enabled, state } }: { source: Source }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [isConfirming, setConfirming] = useState(false);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: adminKey });
  // Enabling a source that was set aside after errors starts it again.
  const isStopped = !enabled || state === "set_aside";
  const edit = useAction((api) => api.editSource({ id, enabled: isStopped }), { onSuccess: refresh });
  const poll = useAction((api) => api.pollSource({ id }), {
    onSuccess: () => {
      refresh();
      show(t("admin.polling"));
    },
  });
  const remove = useAction((api) => api.removeSource({ id }), {
    onSuccess: () => {
      setConfirming(false);
      refresh();
    },
  });
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          busy={edit.isPending}
          disabled={state === "removing"}
          onClick={() => edit.mutate()}
        >
          {t(isStopped ? "admin.enable" : "admin.disable")}
        </Button>
        <Button size="small" busy={poll.isPending} disabled={isStopped} onClick={() => poll.mutate()}>
          {t("admin.poll")}
        </Button>
        <Button
          size="small"
          variant="danger"
          disabled={state === "removing"}
          onClick={() => setConfirming(true)}
        >
          {t("common.delete")}
        </Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("admin.sourceDelete", { name })}
        description={t("admin.sourceDeleteDescription")}
        action={t("common.delete")}
      />
    </>
  );
}

/** Whether it works, as a badge. */
export function SourceState({ source: { enabled, state } }: { source: Source }) {
  const { t } = useText();
  const color =
    state === "failing" || state === "set_aside"
      ? "bg-danger-soft text-danger"
      : state === "working"
        ? "bg-accent-soft text-accent"
        : "bg-sunken text-soft";
  return (
    <span
      className={`rounded-full px-2 text-xs font-semibold whitespace-nowrap ${enabled ? color : "bg-sunken text-soft"}`}
    >
      {t(enabled || state === "removing" ? `admin.source.${state}` : "admin.source.disabled")}
    </span>
  );
}
