import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useApi } from "../../shared/context.ts";

const STORAGE_KEY = "tandem.seen";

/** Counts that the reader saw a post, once a visit. Nobody is told where that fails. */
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

/** A visit is what the browser takes for one: the life of a tab. */
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
