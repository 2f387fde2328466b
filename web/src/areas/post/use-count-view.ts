import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useApi } from "../../shared/context.ts";

const STORAGE_KEY = "tandem.seen";

/** Counts a view of the post, once per visit. Errors are ignored. */
export function useCountView(id: number): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const isSignedIn = useMe() !== null;
  useEffect(() => {
    if (!isSignedIn || !isFirstView(id)) return;
    api.viewPost({ id }).then(
      ({ viewCount }) => changePost(queryClient, id, (post) => ({ ...post, viewCount })),
      () => {},
    );
  }, [api, queryClient, id, isSignedIn]);
}

/** Whether this is the first view in this visit. A visit lasts as long as the tab (sessionStorage). */
function isFirstView(id: number): boolean {
  try {
    const seen = (sessionStorage.getItem(STORAGE_KEY) ?? "").split(" ").filter(Boolean);
    if (seen.includes(String(id))) return false;
    sessionStorage.setItem(STORAGE_KEY, [...seen.slice(-500), id].join(" "));
    return true;
  } catch {
    return false;
  }
}
