import { Dialog as Base } from "@base-ui/react/dialog";
import type { Post } from "@tandem/contract/post-resources";
import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type TouchEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
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

interface EnlargedPicture {
  src: string;
  alt: string | null;
  /** The file as it was uploaded, for download. */
  originalUrl?: string | null | undefined;
}

interface Props {
  post: Post;
  pictures: readonly EnlargedPicture[];
  /** The picture to begin with. */
  start?: number;
  onClose(): void;
}

/**
 * Pictures in full screen: fitted first, in their own size after a click. Arrow keys, buttons and swipes lead to the next; Escape and
 * "back" close it.
 */
export default function Lightbox({ post, pictures, start = 0, onClose }: Props) {
  const { t } = useText();
  const close = useCloseOnBack(onClose);
  const [isFullSize, setFullSize] = useState(false);
  const [index, setIndex] = useState(start);
  const { title } = post;
  const { src = "", alt = null, originalUrl = null } = pictures[index] ?? {};
  const isAlone = pictures.length === 1;
  const goTo = (to: number) => {
    if (to < 0 || to >= pictures.length || to === index) return;
    setIndex(to);
    setFullSize(false);
  };
  const swipe = useSwipe((steps) => !isFullSize && goTo(index + steps));
  const onKeyDown = (event: KeyboardEvent) => {
    // In its own size, a picture is scrolled with these keys.
    if (isFullSize || isAlone) return;
    const to = targetOf(event.key, index, pictures.length);
    if (to === null) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-60 bg-black/90 transition data-starting-style:opacity-0" />
        <Base.Popup
          onKeyDown={onKeyDown}
          {...swipe}
          className="fixed inset-0 z-60 flex flex-col text-white outline-none transition data-starting-style:opacity-0"
        >
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
          {!isAlone && (
            <p
              role="status"
              className="absolute start-3 top-3 z-10 rounded-full bg-black/60 px-3 py-2.5 text-sm font-semibold tabular-nums"
            >
              <span aria-hidden="true">
                {index + 1} / {pictures.length}
              </span>
              <span className="sr-only">
                {t("card.pictureOf", { number: index + 1, count: pictures.length })} {alt}
              </span>
            </p>
          )}
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
                // A new one for each picture, so that the one before isn't shown until the next has loaded.
                key={src}
                // Those of other hosts, whose addresses have a query, are smaller in posts.
                src={src.includes("?") ? `${src}&full` : src}
                alt={alt ?? ""}
                className={isFullSize ? "max-w-none" : "max-h-full max-w-full object-contain"}
              />
              <span className="sr-only">{t("card.zoomIn")}</span>
            </button>
          </div>
          {!isAlone && !isFullSize && (
            <>
              <Step
                side="start-3"
                label={t("card.previousPicture")}
                isLast={index === 0}
                onClick={() => goTo(index - 1)}
              >
                <ChevronLeft className="size-6 rtl:rotate-180" aria-hidden="true" />
              </Step>
              <Step
                side="end-3"
                label={t("card.nextPicture")}
                isLast={index === pictures.length - 1}
                onClick={() => goTo(index + 1)}
              >
                <ChevronRight className="size-6 rtl:rotate-180" aria-hidden="true" />
              </Step>
            </>
          )}
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

/** The button to the previous or next picture. At the end it stays, so that it keeps the focus. */
function Step({
  side,
  label,
  isLast,
  onClick,
  children,
}: {
  side: string;
  label: string;
  isLast: boolean;
  onClick(): void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isLast}
      onClick={onClick}
      className={`absolute top-1/2 -mt-5.5 ${side} ${buttonClass} aria-disabled:opacity-40`}
    >
      {children}
    </button>
  );
}

/** Where the reader reads from right to left, the next picture is to the left. */
const isRightToLeft = () => document.documentElement.dir === "rtl";

/** The picture that a key leads to; null for other keys. */
function targetOf(key: string, index: number, count: number): number | null {
  const right = isRightToLeft() ? -1 : 1;
  if (key === "ArrowRight") return index + right;
  if (key === "ArrowLeft") return index - right;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

/** Pixels. */
const SWIPE = 48;

/** Calls `onSwipe` with 1 for the next and -1 for the previous picture. Not while the reader zooms with two fingers. */
function useSwipe(onSwipe: (steps: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const first = touches.item(0);
      start.current = first && touches.length === 1 ? { x: first.clientX, y: first.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const last = changedTouches.item(0);
      const from = start.current;
      start.current = null;
      // A zoomed page is moved with one finger.
      if (!from || !last || (visualViewport?.scale ?? 1) > 1.01) return;
      const [x, y] = [last.clientX - from.x, last.clientY - from.y];
      if (Math.abs(x) < SWIPE || Math.abs(x) < 2 * Math.abs(y)) return;
      onSwipe(x < 0 === isRightToLeft() ? -1 : 1);
    },
  };
}
