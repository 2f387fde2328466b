import type { Community } from "@tandem/contract/communities";
import { Users } from "lucide-react";

/** Decorative: the name is next to it. */
export function CommunityPicture({
  community: { pictureUrl },
  size = "size-10",
}: {
  community: Pick<Community, "pictureUrl">;
  size?: "size-10" | "size-16";
}) {
  if (pictureUrl === null)
    return (
      <span className={`${size} grid shrink-0 place-items-center rounded-2xl bg-sunken text-soft`}>
        <Users className="size-5" aria-hidden="true" />
      </span>
    );
  return (
    <img
      src={pictureUrl}
      alt=""
      width={80}
      height={80}
      decoding="async"
      className={`${size} shrink-0 rounded-2xl bg-sunken object-cover`}
    />
  );
}
