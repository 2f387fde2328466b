import { limits } from "@tandem/contract/limits";
import type { Agent } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { useActAsAgent } from "../../data/log-out.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useRouter } from "../../router/provider.tsx";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";

/** How far back "undo" goes. */
const minutes = limits.undoMinutes.default;

/** Actions on a whole agent. Those that can't be undone, or end your session, ask for confirmation. */
export function AgentControls({ agent: { id, username, displayName, paused } }: { agent: Agent }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { show } = useToasts();
  const [openDialog, setOpenDialog] = useState<"actAs" | "undo" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  const pause = useAction((api) => api.editAgent({ id, paused: !paused }), {
    onSuccess: () => invalidateAgents(queryClient),
  });
  const actAs = useActAsAgent(id);
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
  const confirmed = { actAs, undo, delete: remove };
  return (
    <div className="card-flush flex flex-wrap gap-2 p-4">
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
      <Button busy={actAs.isPending} onClick={() => setOpenDialog("actAs")}>
        {t("agents.actAs")}
      </Button>
      <Button variant="danger" onClick={() => setOpenDialog("delete")}>
        {t("common.delete")}
      </Button>
      {openDialog && (
        <LazyConfirmDialog
          open
          onClose={close}
          onConfirm={() => confirmed[openDialog].mutate()}
          busy={confirmed[openDialog].isPending}
          isHarmless={openDialog === "actAs"}
          title={t(`agents.${openDialog}Title`, { name: fullName(username, displayName), minutes })}
          description={t(`agents.${openDialog}Description`, { minutes })}
          action={t(openDialog === "delete" ? "common.delete" : `agents.${openDialog}`, { minutes })}
        />
      )}
    </div>
  );
}
