import { limits } from "@tandem/contract/limits";
import type { Agent } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { reloadAfterLogout } from "../../data/session.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";

/** How far back "undo" goes. */
const minutes = limits.undoMinutes.default;

/** Actions on a whole agent. Those that can't be undone ask for confirmation. */
export function AgentControls({ agent: { id, username, paused } }: { agent: Agent }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { show } = useToasts();
  const [openDialog, setOpenDialog] = useState<"undo" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  const pause = useAction((api) => api.editAgent({ id, paused: !paused }), {
    onSuccess: () => invalidateAgents(queryClient),
  });
  const switchToAgent = useAction((api) => api.openAgentSession({ id }), {
    // All cached data belongs to the operator's account.
    onSuccess: () => reloadAfterLogout("/"),
  });
  const undo = useAction((api) => api.undoAgent({ id, minutes }), {
    onSuccess: ({ undone, more }) => {
      close();
      invalidateAgents(queryClient);
      void queryClient.invalidateQueries({ queryKey: ["posts"] });
      const count = Object.values(undone).reduce((sum, value) => sum + value, 0);
      show(t(more ? "agents.undoneMore" : "agents.undoneCount", { count }));
    },
  });
  const remove = useAction((api) => api.deleteAgent({ id }), {
    onSuccess: async () => {
      await router.navigate({ to: "/agents" });
      // Only after leaving: the agent's own page would refetch what is deleted.
      invalidateAgents(queryClient);
      show(t("agents.deleted"));
    },
  });
  return (
    <div className="card flex flex-wrap gap-2 p-4 max-sm:rounded-none max-sm:border-x-0">
      <Button
        variant={paused ? "primary" : "secondary"}
        busy={pause.isPending}
        onClick={() => pause.mutate()}
      >
        {t(paused ? "agents.resume" : "agents.pause")}
      </Button>
      <Button busy={undo.isPending} onClick={() => setOpenDialog("undo")}>
        {t("agents.undo", { minutes })}
      </Button>
      <Button busy={switchToAgent.isPending} onClick={() => switchToAgent.mutate()}>
        {t("agents.actAs")}
      </Button>
      <Button variant="danger" onClick={() => setOpenDialog("delete")}>
        {t("common.delete")}
      </Button>
      {openDialog && (
        <LazyConfirmDialog
          open
          onClose={close}
          onConfirm={() => (openDialog === "undo" ? undo : remove).mutate()}
          busy={undo.isPending || remove.isPending}
          title={t(`agents.${openDialog}Title`, { name: username, minutes })}
          description={t(`agents.${openDialog}Description`, { minutes })}
          action={t(openDialog === "undo" ? "agents.undo" : "common.delete", { minutes })}
        />
      )}
    </div>
  );
}
