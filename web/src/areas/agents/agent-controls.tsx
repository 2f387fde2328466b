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
import { AskFirst } from "../../ui/lazy-confirm-dialog.tsx";

/** So far back is undone. */
const minutes = limits.undoMinutes.default;

/** What an operator may do with an agent as a whole. What can't be taken back asks first. */
export function AgentControls({ agent: { id, username, paused } }: { agent: Agent }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { show } = useToasts();
  const [asked, setAsked] = useState<"undo" | "delete" | null>(null);
  const close = () => setAsked(null);
  const pause = useAction((api) => api.editAgent({ id, paused: !paused }), {
    onSuccess: () => invalidateAgents(queryClient),
  });
  const act = useAction((api) => api.openAgentSession({ id }), {
    // Everything that was read was read as somebody else.
    onSuccess: () => reloadAfterLogout("/"),
  });
  const undo = useAction((api) => api.undoAgent({ id, minutes }), {
    onSuccess: ({ undone, more }) => {
      close();
      invalidateAgents(queryClient);
      void queryClient.invalidateQueries({ queryKey: ["posts"] });
      const count = Object.values(undone).reduce((sum, one) => sum + one, 0);
      show(t(more ? "agents.undoneMore" : "agents.undoneCount", { count }));
    },
  });
  const remove = useAction((api) => api.deleteAgent({ id }), {
    onSuccess: async () => {
      await router.navigate({ to: "/agents" });
      // Not before: its own page would ask for what is gone.
      invalidateAgents(queryClient);
      show(t("agents.deleted"));
    },
  });
  return (
    <div className="card flex flex-wrap gap-2 p-4 max-sm:rounded-none max-sm:border-x-0">
      <Button look={paused ? "primary" : "secondary"} busy={pause.isPending} onClick={() => pause.mutate()}>
        {t(paused ? "agents.resume" : "agents.pause")}
      </Button>
      <Button busy={undo.isPending} onClick={() => setAsked("undo")}>
        {t("agents.undo", { minutes })}
      </Button>
      <Button busy={act.isPending} onClick={() => act.mutate()}>
        {t("agents.actAs")}
      </Button>
      <Button look="danger" onClick={() => setAsked("delete")}>
        {t("common.delete")}
      </Button>
      {asked && (
        <AskFirst
          open
          onClose={close}
          onConfirm={() => (asked === "undo" ? undo : remove).mutate()}
          busy={undo.isPending || remove.isPending}
          title={t(`agents.${asked}Title`, { name: username, minutes })}
          says={t(`agents.${asked}Says`, { minutes })}
          action={t(asked === "undo" ? "agents.undo" : "common.delete", { minutes })}
        />
      )}
    </div>
  );
}
