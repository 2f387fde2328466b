import type { Post } from "@tandem/contract/post-resources";
import { ImageOff, VideoOff } from "lucide-react";
import { useText } from "../i18n/use-text.tsx";
import { MediaPlaceholder } from "./media-frame.tsx";

/** Shown in place of media that can't be loaded, with the image description. */
export default function MediaUnavailable({ post: { width, height, mediaType, alt } }: { post: Post }) {
  const { t } = useText();
  const isImage = mediaType === "image";
  const Icon = isImage ? ImageOff : VideoOff;
  return (
    <div className="relative overflow-hidden rounded-xl bg-sunken">
      <MediaPlaceholder width={width} height={height} />
      <div className="absolute inset-0 flex flex-col items-center justify-center gap-1 p-4 text-center text-sm text-soft">
        <Icon className="size-6" aria-hidden="true" />
        {t(isImage ? "card.noPicture" : "card.noVideo")}
        {alt && <span className="theirs line-clamp-3">{alt}</span>}
      </div>
    </div>
  );
}
