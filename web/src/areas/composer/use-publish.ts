import type { Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { postAddress } from "../../addresses.ts";
import { useApp } from "../../data/context.ts";
import { postQuery } from "../../data/posts.ts";
import { usePressKey } from "../../data/press.ts";
import { uploader } from "../../data/upload.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useToasts } from "../../ui/toast.tsx";

export type NewPost = Sent<Operations["createPost"]>;

/** How far a post is on its way; null where none is. */
export type OnItsWay = { sent: number; of: number } | null;

/**
 * Publishes a post, tells how much of it was sent, and goes to it. What fails can be pressed again with the same in it: the
 * service does it once. `cancel` ends it without a word of an error.
 */
export function usePublish(onPublished: () => void) {
  const { api, baseUrl } = useApp();
  const { t } = useText();
  const { tell } = useToasts();
  const data = useQueryClient();
  const navigate = useNavigate();
  const press = usePressKey();
  const [progress, setProgress] = useState<OnItsWay>(null);
  const stopper = useRef<AbortController | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (post: NewPost) => {
      const stopping = new AbortController();
      stopper.current = stopping;
      const { signal } = stopping;
      const hasFile = Boolean(post.image ?? post.video);
      const client = hasFile ? uploader(baseUrl, (sent, of) => setProgress({ sent, of })) : api;
      if (hasFile) setProgress({ sent: 0, of: 0 });
      try {
        return await client.createPost(post, { idempotencyKey: press.keyFor(post), signal });
      } catch (failure) {
        if (signal.aborted) return null;
        throw failure;
      } finally {
        setProgress(null);
      }
    },
    onSuccess: (answer) => {
      if (answer === null) return;
      press.done();
      onPublished();
      void data.invalidateQueries({ queryKey: ["posts", "list"] });
      if (answer.pendingApproval) {
        tell(t("composer.waits"));
        return void navigate({ to: "/drafts" });
      }
      data.setQueryData(postQuery(api, answer.post.id).queryKey, answer.post);
      tell(t("composer.posted"));
      void navigate({ to: postAddress(answer.post.id) });
    },
  });
  const cancel = () => stopper.current?.abort();
  return { publish: mutate, publishing: isPending, progress, cancel, error, reset };
}
