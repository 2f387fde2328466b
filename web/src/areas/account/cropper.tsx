import { type PointerEvent, useEffect, useRef, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button, Spinner } from "../../ui/button.tsx";
import { CLOSEST, type Crop, wholeOf, within, zoomOf } from "./crop.ts";

/** Pixels of the side of what is sent: as large as it is ever shown, twice over. */
const SIDE = 512;
const QUALITY = 0.9;

interface Props {
  file: File;
  /** Whether it is shown in a circle. */
  round: boolean;
  busy: boolean;
  onDone(image: Blob): void;
  onClose(): void;
}

/** Chooses the square of a picture that is shown, by dragging it, or by sliders. */
export default function Cropper({ file, round, busy, onDone, onClose }: Props) {
  const { t } = useText();
  const picture = usePicture(file);
  const [crop, setCrop] = useState<Crop | null>(null);
  if (picture === "loading") return <Spinner label={t("common.loading")} />;
  const done = async () => onDone(picture ? await cut(picture, crop ?? wholeOf(picture)) : file);
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="sr-only">{t("account.crop")}</legend>
      {picture ? (
        <Window picture={picture} crop={crop ?? wholeOf(picture)} round={round} onCrop={setCrop} />
      ) : (
        // Such as a phone's own format, which the service reads and this browser doesn't.
        <p className="text-soft">{t("account.noPreview", { name: file.name })}</p>
      )}
      <div className="flex gap-2">
        <Button look="primary" onClick={done} busy={busy}>
          {t("account.usePicture")}
        </Button>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
      </div>
    </fieldset>
  );
}

/** The picture of a file; null where the browser can't read it. */
function usePicture(file: File): ImageBitmap | null | "loading" {
  const [read, setRead] = useState<{ file: File; picture: ImageBitmap | null } | null>(null);
  useEffect(() => {
    let gone = false;
    createImageBitmap(file).then(
      (picture) => !gone && setRead({ file, picture }),
      () => !gone && setRead({ file, picture: null }),
    );
    return () => {
      gone = true;
    };
  }, [file]);
  return read?.file === file ? read.picture : "loading";
}

interface Looking {
  picture: ImageBitmap;
  crop: Crop;
  round: boolean;
  onCrop(crop: Crop): void;
}

function Window({ picture, crop, round, onCrop }: Looking) {
  const { t } = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ x: number; y: number; from: Crop } | null>(null);
  useEffect(() => draw(canvas.current, picture, crop), [picture, crop]);
  const go = (wish: Crop) => onCrop(within(wish, picture));
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!drag.current) return;
    const { x, y, from } = drag.current;
    const scale = from.side / event.currentTarget.clientWidth;
    go({ ...from, x: from.x - (event.clientX - x) * scale, y: from.y - (event.clientY - y) * scale });
  };
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:gap-6">
      <canvas
        ref={canvas}
        width={SIDE}
        height={SIDE}
        className={`size-56 shrink-0 cursor-grab touch-none bg-sunken active:cursor-grabbing ${round ? "rounded-full" : "rounded-[28%]"}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, from: crop };
        }}
        onPointerMove={move}
        onPointerUp={() => {
          drag.current = null;
        }}
      />
      <div className="flex max-w-64 flex-1 flex-col gap-3">
        <p className="text-sm text-soft">{t("account.cropSays")}</p>
        <Slider
          label={t("account.zoom")}
          most={CLOSEST}
          least={1}
          at={zoomOf(crop, picture)}
          onMove={(zoom) => go({ ...crop, side: wholeOf(picture).side / zoom })}
        />
        <Slider
          label={t("account.across")}
          least={crop.side / 2}
          most={picture.width - crop.side / 2}
          at={crop.x}
          onMove={(x) => go({ ...crop, x })}
        />
        <Slider
          label={t("account.down")}
          least={crop.side / 2}
          most={picture.height - crop.side / 2}
          at={crop.y}
          onMove={(y) => go({ ...crop, y })}
        />
      </div>
    </div>
  );
}

/** The same without a pointer. */
function Slider({
  label,
  least,
  most,
  at,
  onMove,
}: {
  label: string;
  least: number;
  most: number;
  at: number;
  onMove(to: number): void;
}) {
  return (
    <label className="flex flex-col gap-1 text-sm font-semibold">
      {label}
      <input
        type="range"
        className="h-8"
        min={least}
        max={most}
        step="any"
        value={at}
        disabled={most <= least}
        onChange={({ currentTarget }) => onMove(Number(currentTarget.value))}
      />
    </label>
  );
}

function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, { x, y, side }: Crop): void {
  const pen = canvas?.getContext("2d");
  if (!pen) return;
  pen.imageSmoothingQuality = "high";
  pen.clearRect(0, 0, SIDE, SIDE);
  pen.drawImage(picture, x - side / 2, y - side / 2, side, side, 0, 0, SIDE, SIDE);
}

async function cut(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  draw(canvas, picture, crop);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, "image/webp", QUALITY));
  if (!blob) throw new Error("the browser draws no pictures");
  return blob;
}
