import { pictureTypes, videoTypes } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";
import { CalendarClock, ChartBarBig, ImagePlus, Link2, ShoppingBag, TriangleAlert } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { acceptAttribute } from "./media-check.ts";

const acceptedTypes = acceptAttribute([...pictureTypes, ...videoTypes]);

/** What a post can have besides its text. A tool without a handler isn't shown. */
export interface Tools {
  /** Adds pictures, or a video. */
  onFiles?: ((files: File[]) => void) | undefined;
  link?: Toggle | undefined;
  products?: (Toggle & { count: number }) | undefined;
  /** The content warning, and the mark of sensitive media. */
  warning?: Toggle | undefined;
  poll?: Toggle | undefined;
  onSchedule?: (() => void) | undefined;
}

interface Toggle {
  open: boolean;
  onToggle(): void;
}

/** The buttons that add something to a post. */
export function Toolbar({ onFiles, link, products, warning, poll, onSchedule }: Tools) {
  const { t } = useText();
  return (
    <fieldset aria-label={t("composer.tools")} className="-ms-2 flex items-center sm:gap-0.5">
      {onFiles && <MediaButton onFiles={onFiles} />}
      {link && (
        <Tool label={t("composer.addLink")} aria-expanded={link.open} onClick={link.onToggle}>
          <Link2 className="size-5" aria-hidden="true" />
        </Tool>
      )}
      {products && (
        <Tool
          label={t("composer.products", { count: products.count })}
          aria-expanded={products.open}
          onClick={products.onToggle}
        >
          <ShoppingBag className="size-5" aria-hidden="true" />
          {products.count > 0 && (
            <span
              aria-hidden="true"
              className="absolute end-0 top-0.5 grid min-w-4.5 place-items-center rounded-full bg-accent px-1 text-xs font-bold text-on-accent"
            >
              {products.count}
            </span>
          )}
        </Tool>
      )}
      {warning && (
        <Tool label={t("composer.addWarning")} aria-expanded={warning.open} onClick={warning.onToggle}>
          <TriangleAlert className="size-5" aria-hidden="true" />
        </Tool>
      )}
      {poll && (
        <Tool label={t("composer.poll.add")} aria-expanded={poll.open} onClick={poll.onToggle}>
          <ChartBarBig className="size-5" aria-hidden="true" />
        </Tool>
      )}
      {onSchedule && (
        <Tool label={t("composer.schedule")} onClick={onSchedule}>
          <CalendarClock className="size-5" aria-hidden="true" />
        </Tool>
      )}
    </fieldset>
  );
}

function Tool({ className = "", ...rest }: ComponentProps<typeof IconButton>) {
  return (
    <IconButton
      className={`relative max-sm:h-10 max-sm:w-8.5 aria-expanded:bg-accent-soft aria-expanded:text-accent ${className}`}
      {...rest}
    />
  );
}

function MediaButton({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const label = t("composer.chooseMedia");
  const hint = t("composer.chooseMediaHint", {
    count: limits.picturesPerPost,
    picture: limits.imageBytes / 2 ** 20,
    video: limits.videoBytes / 2 ** 20,
  });
  return (
    <>
      <Tool label={label} title={`${label}. ${hint}`} onClick={() => input.current?.click()}>
        <ImagePlus className="size-5" aria-hidden="true" />
      </Tool>
      <FileInput
        inputRef={input}
        accept={acceptedTypes}
        label={label}
        multiple
        onSelect={(file, others) => onFiles([file, ...others])}
      />
    </>
  );
}
