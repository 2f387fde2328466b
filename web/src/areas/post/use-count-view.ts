import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useApi } from "../../shared/context.ts";

const SEEN = "tandem.seen";

/** Counts that the reader saw a post, once a visit. Nobody is told where that fails. */
export function useView(id: number): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const known = useMe() !== null;
  useEffect(() => {
    if (!known || !isNew(id)) return;
    api.viewPost({ id }).then(
      ({ viewCount }) => changePost(queryClient, id, (post) => ({ ...post, viewCount })),
      () => {},
    );
  }, [api, queryClient, id, known]);
}

/** A visit is what the browser takes for one: the life of a tab. */
function isNew(id: number): boolean {
  try {
    const seen = (sessionStorage.getItem(SEEN) ?? "").split(" ").filter(Boolean);
    if (seen.includes(String(id))) return false;
    sessionStorage.setItem(SEEN, [...seen.slice(-500), id].join(" "));
    return true;
  } catch {
    return false;
  }
}
