import type { Post } from "@tandem/contract/post-resources";
import { EyeOff, TriangleAlert } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useSensitivePosts } from "../data/preferences.ts";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "../ui/button.tsx";
import { BlurredPreview, MediaPlaceholder } from "./media-frame.tsx";
import { usePostName } from "./post-name.ts";

/** What a warning covers is hidden until the reader asks for it, unless they want to see everything. */
function useRevealed(): [isRevealed: boolean, setRevealed: (isRevealed: boolean) => void] {
  const preference = useSensitivePosts();
  const [choice, setChoice] = useState<boolean | null>(null);
  return [choice ?? preference === "show", setChoice];
}

/** A post's text and media: behind its content warning, if it has one. */
export function BehindWarning({
  post,
  children,
}: {
  post: Pick<Post, "contentWarning">;
  children: ReactNode;
}) {
  const { contentWarning } = post;
  if (contentWarning === undefined) return children;
  return <Warned warning={contentWarning}>{children}</Warned>;
}

function Warned({ warning, children }: { warning: string; children: ReactNode }) {
  const { t } = useText();
  const [isRevealed, setRevealed] = useRevealed();
  return (
    <>
      <div className="flex items-center gap-3 rounded-xl border bg-sunken py-2 ps-3.5 pe-2">
        <TriangleAlert className="size-5 shrink-0 text-soft" aria-hidden="true" />
        <p className="theirs min-w-0 flex-1 font-semibold">
          <span className="sr-only">{t("card.warning")} </span>
          {warning}
        </p>
        <Button
          size="small"
          className="min-h-10 shrink-0"
          aria-expanded={isRevealed}
          onClick={() => setRevealed(!isRevealed)}
        >
          {t(isRevealed ? "card.hideWarned" : "card.showWarned")}
          <span className="sr-only"> {warning}</span>
        </Button>
      </div>
      {isRevealed && children}
    </>
  );
}

/** Sensitive media: a blurred preview until the reader asks for them. `children` are the media. */
export function SensitiveMedia({ post, children }: { post: Post; children: ReactNode }) {
  const { t } = useText();
  const [isRevealed, setRevealed] = useRevealed();
  const media = useRef<HTMLElement>(null);
  const showButton = useRef<HTMLButtonElement>(null);
  const { mediaType, width, height, thumbHash } = post;
  const hasFrame = mediaType !== "text" && mediaType !== "link";
  const name = usePostName(post);
  if (isRevealed)
    return (
      <section ref={media} tabIndex={-1} aria-label={t("card.sensitive")} className="flex flex-col gap-1">
        {children}
        <Button
          variant="quiet"
          size="small"
          className="min-h-10 self-end"
          onClick={() => {
            setRevealed(false);
            // After React has put the other button in the place of this one.
            requestAnimationFrame(() => showButton.current?.focus());
          }}
        >
          <EyeOff className="size-4" aria-hidden="true" />
          {t("card.hideMedia")}
          <span className="sr-only"> {name}</span>
        </Button>
      </section>
    );
  return (
    <div className="relative grid min-h-36 place-items-center overflow-hidden rounded-xl bg-sunken">
      <BlurredPreview hash={thumbHash} />
      {hasFrame && <MediaPlaceholder width={width} height={height} />}
      <div className="absolute inset-0 grid place-content-center place-items-center gap-2 bg-black/60 p-3 text-center text-white">
        <EyeOff className="size-6" aria-hidden="true" />
        <p className="font-semibold">{t("card.sensitive")}</p>
        <Button
          ref={showButton}
          size="small"
          className="min-h-10"
          onClick={() => {
            setRevealed(true);
            // After React has shown the media, which take the place of the button.
            requestAnimationFrame(() => media.current?.focus());
          }}
        >
          {t("card.showMedia")}
          <span className="sr-only"> {name}</span>
        </Button>
      </div>
    </div>
  );
}
