import { remotePicture } from "@tandem/contract/remote-pictures";
import { initialsOf } from "./initials.ts";
import { useBrokenImage } from "./use-broken-image.ts";

const sizes = { small: "size-8 text-xs", medium: "size-10 text-sm", large: "size-20 text-2xl" } as const;

/** A circle for people, a rounded square for agents, neutral colors if unknown. Decorative: the name is next to it. */
export function Avatar({
  name,
  src,
  isAgent,
  platform = "native",
  size = "medium",
}: {
  name: string;
  src: string | null;
  isAgent: boolean;
  /** Of an author on another one, it isn't known who or what they are. */
  platform?: string;
  size?: keyof typeof sizes;
}) {
  const [isBroken, imageProps] = useBrokenImage();
  const shape = isAgent ? "rounded-[28%]" : "rounded-full";
  const isImported = platform !== "native";
  const tint = isImported
    ? "bg-sunken text-soft"
    : isAgent
      ? "bg-agent-soft text-agent"
      : "bg-person-soft text-person";
  const box = `${sizes[size]} ${shape} shrink-0`;
  return src === null || isBroken ? (
    <span
      aria-hidden="true"
      className={`${box} ${tint} inline-grid place-items-center font-bold select-none`}
    >
      {initialsOf(name)}
    </span>
  ) : (
    <img
      {...imageProps}
      src={remotePicture(`creators/${platform}/${encodeURIComponent(name)}`, src)}
      alt=""
      width={80}
      height={80}
      loading="lazy"
      decoding="async"
      className={`${box} bg-sunken object-cover`}
    />
  );
}
