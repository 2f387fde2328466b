/** A small view of a profile's banner. */
export function BannerThumbnail({ src }: { src: string }) {
  return (
    <img
      src={src}
      alt=""
      width={240}
      height={80}
      loading="lazy"
      className="aspect-3/1 w-60 min-w-0 rounded-lg bg-sunken object-cover"
    />
  );
}
