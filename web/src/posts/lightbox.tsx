import { Dialog as Base } from "@base-ui/react/dialog";
import type { Post } from "@tandem/contract/post-resources";
import { Download, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useText } from "../i18n/use-text.tsx";

const buttonClass =
  "grid size-11 place-items-center rounded-full bg-black/60 text-white transition hover:bg-black/80";

/**
 * Closes an overlay on "back". The overlay gets a history entry with the same URL and state, so that the
 * router doesn't react. Returns a function that closes the overlay by going back.
 */
function useCloseOnBack(onBack: () => void): () => void {
  const closed = useRef(false);
  const onPopState = useEffectEvent(onBack);
  useEffect(() => {
    const controller = new AbortController();
    history.pushState(history.state, "");
    addEventListener("popstate", () => onPopState(), { signal: controller.signal });
    return () => controller.abort();
  }, []);
  return () => {
    if (!closed.current) history.back();
    closed.current = true;
  };
}

/** A picture in full screen: fitted first, in its own size after a click. Closes on Escape and on "back". */
export default function Lightbox({ post, src, onClose }: { post: Post; src: string; onClose(): void }) {
  const { t } = useText();
  const close = useCloseOnBack(onClose);
  const [isFullSize, setFullSize] = useState(false);
  const { alt, title, originalUrl } = post;
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-60 bg-black/90 transition data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-0 z-60 flex flex-col text-white outline-none transition data-starting-style:opacity-0">
          <Base.Title className="sr-only">{title ?? t("card.picture")}</Base.Title>
          <div className="absolute end-3 top-3 z-10 flex gap-2">
            {originalUrl && (
              <a
                href={originalUrl}
                download
                className={buttonClass}
                title={t("card.original")}
                aria-label={t("card.original")}
              >
                <Download className="size-5" aria-hidden="true" />
              </a>
            )}
            <Base.Close className={buttonClass} aria-label={t("common.close")} title={t("common.close")}>
              <X className="size-5" aria-hidden="true" />
            </Base.Close>
          </div>
          <div
            className={`flex min-h-0 flex-1 ${isFullSize ? "overflow-auto" : "items-center justify-center p-2"}`}
          >
            <button
              type="button"
              aria-pressed={isFullSize}
              className={isFullSize ? "m-auto cursor-zoom-out" : "flex max-h-full max-w-full cursor-zoom-in"}
              onClick={() => setFullSize(!isFullSize)}
            >
              <img
                // Those of other hosts, whose addresses have a query, are smaller in posts.
                src={src.includes("?") ? `${src}&full` : src}
                alt={alt ?? ""}
                className={isFullSize ? "max-w-none" : "max-h-full max-w-full object-contain"}
              />
              <span className="sr-only">{t("card.zoomIn")}</span>
            </button>
          </div>
          {alt && !isFullSize && (
            <p className="theirs mx-auto max-h-[25dvh] max-w-2xl overflow-y-auto px-4 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))] text-center text-sm text-white/90">
              {alt}
            </p>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
