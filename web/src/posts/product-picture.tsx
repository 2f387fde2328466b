import { remotePicture } from "@tandem/contract/remote-pictures";
import { ShoppingBag } from "lucide-react";
import { useBrokenImage } from "../ui/use-broken-image.ts";

/** A product's picture, or a placeholder. Decorative: the title is next to it. */
export function ProductPicture({
  product: { id, imageUrl },
  className = "",
}: {
  product: { id: number; imageUrl: string | null };
  className?: string;
}) {
  const [isBroken, imageProps] = useBrokenImage();
  const box = `bg-sunken object-cover ${className}`;
  return imageUrl && !isBroken ? (
    <img
      {...imageProps}
      src={remotePicture(`products/${id}`, imageUrl)}
      alt=""
      width={400}
      height={400}
      loading="lazy"
      decoding="async"
      className={box}
    />
  ) : (
    <span className={`grid place-items-center text-soft ${box}`}>
      <ShoppingBag className="size-1/3 max-h-10 max-w-10" aria-hidden="true" />
    </span>
  );
}
