import type { Post } from "@tandem/contract/post-resources";
import { useEffect, useEffectEvent, useRef } from "react";
import { useText } from "../i18n/use-text.tsx";
import { onOthersPlay, pauseOthers } from "./pause-others.ts";

/** Another site's player, in a document of its own. It is taken away when something else plays, since it can't be paused. */
export default function EmbeddedVideo({ post, site, onStop }: { post: Post; site: string; onStop(): void }) {
  const { t } = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const stop = useEffectEvent(onStop);
  useEffect(() => {
    frame.current?.focus({ preventScroll: true });
    pauseOthers(frame.current);
    return onOthersPlay(frame.current, () => stop());
  }, []);
  return (
    <iframe
      ref={frame}
      src={`/posts/${post.id}/player`}
      title={t("card.videoFrom", { site })}
      allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
      className="absolute inset-0 size-full"
    />
  );
}
