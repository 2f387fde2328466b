import type { Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import type { Post } from "@tandem/contract/post-resources";
import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { StoredDraft } from "../../data/draft-storage.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { changePost, postQuery } from "../../data/posts.ts";
import { useToasts } from "../../data/toasts.ts";
import { uploadClient } from "../../data/upload.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import type { PostDraft } from "./draft.ts";

export type NewPost = Sent<Operations["createPost"]>;

/** Bytes sent, of the total; null if nothing is being sent. */
export type Progress = { sent: number; total: number } | null;

/**
 * Publishes a post, reports the upload's progress, and opens the post. Retrying the same post is safe,
 * because it has the same idempotency key. `cancel` aborts without an error. Publishing continues while the
 * author visits other pages of the app; the result is then shown as a toast.
 */
export function usePublish(stored: StoredDraft<PostDraft>, onPublished: () => void) {
  const api = useApi();
  const { t } = useText();
  const { show, showError } = useToasts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isStillOnPage = useStillOnPage();
  const [progress, setProgress] = useState<Progress>(null);
  const controller = useRef<AbortController | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationKey,
    mutationFn: async (post: NewPost) => {
      const current = new AbortController();
      controller.current = current;
      const { signal } = current;
      const hasFile = Boolean(post.image ?? post.video);
      const client = hasFile ? uploadClient((sent, total) => setProgress({ sent, total })) : api;
      if (hasFile) setProgress({ sent: 0, total: 0 });
      addEventListener("beforeunload", confirmLeaving);
      try {
        return await client.createPost(post, { idempotencyKey: stored.idempotencyKeyFor({ post }), signal });
      } catch (cause) {
        if (signal.aborted) return null;
        throw cause;
      } finally {
        removeEventListener("beforeunload", confirmLeaving);
        setProgress(null);
      }
    },
    onSuccess: (response, sent) => {
      if (response === null) return;
      onPublished();
      void queryClient.invalidateQueries({ queryKey: ["posts", "list"] });
      const { post } = response;
      // Lists that were loaded stay as they are, but its author looks for it in the community.
      if (post.community !== null)
        queryClient.removeQueries({ queryKey: ["posts", "list", { community: post.community }] });
      queryClient.setQueryData(postQuery(api, post.id).queryKey, post);
      if (post.quoteId !== undefined)
        changePost(queryClient, post.quoteId, (quoted) => ({
          ...quoted,
          quoteCount: (quoted.quoteCount ?? 0) + 1,
        }));
      show(t(successKey(post, sent)));
      if (isStillOnPage()) void navigate({ to: postAddress(post.id) });
    },
    onError: (cause) => {
      if (!isStillOnPage()) showError(errorMessage(cause, t));
    },
  });
  const cancel = () => controller.current?.abort();
  return { publish: mutate, isPublishing: isPending, progress, cancel, error };
}

/** Says that the post is out, and whether the metadata of its file marked it beyond what its author declared. */
function successKey({ provenance }: Post, { provenance: declared }: NewPost) {
  return provenance === "human" || provenance === declared
    ? "composer.posted"
    : (`composer.posted.${provenance}` as const);
}

const mutationKey = ["publish"];

/** Whether a post is being published, from any page. */
export const useIsPublishing = (): boolean => useIsMutating({ mutationKey }) > 0;

/** Asks for confirmation before the page is left. */
export const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
