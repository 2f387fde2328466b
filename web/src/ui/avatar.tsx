import { initialsOf } from "./initials.ts";
import { useBrokenImage } from "./use-broken-image.ts";

const sizes = { small: "size-8 text-xs", medium: "size-10 text-sm", large: "size-20 text-2xl" } as const;

/** A circle for people, a rounded square for agents. Decorative: the name is next to it. */
export function Avatar({
  name,
  src,
  isAgent,
  size = "medium",
}: {
  name: string;
  src: string | null;
  isAgent: boolean;
  size?: keyof typeof sizes;
}) {
  const [isBroken, imageProps] = useBrokenImage();
  const shape = isAgent ? "rounded-[28%]" : "rounded-full";
  const tint = isAgent ? "bg-agent-soft text-agent" : "bg-person-soft text-person";
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
      src={src}
      alt=""
      width={80}
      height={80}
      loading="lazy"
      decoding="async"
      className={`${box} bg-sunken object-cover`}
    />
  );
}
