import { TandemError } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { refreshNotifications } from "../../data/notifications.ts";

/** Lists again what waits, if a draft is gone or was decided already, such as in another tab, or what it is about is gone or can't be quoted. */
export function useRefreshIfGone(): (error: Error) => void {
  const queryClient = useQueryClient();
  return (error) => {
    if (!(error instanceof TandemError)) return;
    if (![403, 404, 409].includes(error.status) && error.code !== "invalid_parent") return;
    void queryClient.invalidateQueries({ queryKey: ["drafts"] });
    void refreshNotifications(queryClient);
  };
}
