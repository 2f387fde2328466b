import { type PointerEvent, useEffect, useRef, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button, Spinner } from "../../ui/button.tsx";
import { type Crop, clampCrop, fullCrop, MAX_ZOOM, zoomLevel } from "./crop.ts";

/** The side of the uploaded square in pixels: twice the largest size at which it is shown. */
const OUTPUT_SIZE = 512;
const QUALITY = 0.9;

interface Props {
  file: File;
  /** Whether the avatar is shown in a circle. */
  isRound: boolean;
  busy: boolean;
  onDone(image: Blob): void;
  onClose(): void;
}

/** Crops a picture to a square, by dragging or with sliders. */
export default function Cropper({ file, isRound, busy, onDone, onClose }: Props) {
  const { t } = useText();
  const picture = usePicture(file);
  const [crop, setCrop] = useState<Crop | null>(null);
  if (picture === "loading") return <Spinner label={t("common.loading")} />;
  const confirm = async () => onDone(picture ? await cropImage(picture, crop ?? fullCrop(picture)) : file);
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="sr-only">{t("account.crop")}</legend>
      {picture ? (
        <CropEditor picture={picture} crop={crop ?? fullCrop(picture)} isRound={isRound} onCrop={setCrop} />
      ) : (
        // Such as HEIC, which the server can read and this browser can't.
        <p className="text-soft">{t("account.noPreview", { name: file.name })}</p>
      )}
      <div className="flex gap-2">
        <Button variant="primary" onClick={confirm} busy={busy}>
          {t("account.usePicture")}
        </Button>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
      </div>
    </fieldset>
  );
}

/** Decodes a picture file; null if the browser can't. */
function usePicture(file: File): ImageBitmap | null | "loading" {
  const [loaded, setLoaded] = useState<{ file: File; picture: ImageBitmap | null } | null>(null);
  useEffect(() => {
    let cancelled = false;
    createImageBitmap(file).then(
      (picture) => !cancelled && setLoaded({ file, picture }),
      () => !cancelled && setLoaded({ file, picture: null }),
    );
    return () => {
      cancelled = true;
    };
  }, [file]);
  return loaded?.file === file ? loaded.picture : "loading";
}

interface CropEditorProps {
  picture: ImageBitmap;
  crop: Crop;
  isRound: boolean;
  onCrop(crop: Crop): void;
}

function CropEditor({ picture, crop, isRound, onCrop }: CropEditorProps) {
  const { t } = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ x: number; y: number; from: Crop } | null>(null);
  useEffect(() => draw(canvas.current, picture, crop), [picture, crop]);
  const updateCrop = (next: Crop) => onCrop(clampCrop(next, picture));
  const handleDrag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!drag.current) return;
    const { x, y, from } = drag.current;
    const scale = from.side / event.currentTarget.clientWidth;
    updateCrop({ ...from, x: from.x - (event.clientX - x) * scale, y: from.y - (event.clientY - y) * scale });
  };
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:gap-6">
      <canvas
        ref={canvas}
        width={OUTPUT_SIZE}
        height={OUTPUT_SIZE}
        className={`size-56 shrink-0 cursor-grab touch-none bg-sunken active:cursor-grabbing ${isRound ? "rounded-full" : "rounded-[28%]"}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, from: crop };
        }}
        onPointerMove={handleDrag}
        onPointerUp={() => {
          drag.current = null;
        }}
      />
      <div className="flex max-w-64 flex-1 flex-col gap-3">
        <p className="text-sm text-soft">{t("account.cropDescription")}</p>
        <Slider
          label={t("account.zoom")}
          max={MAX_ZOOM}
          min={1}
          value={zoomLevel(crop, picture)}
          onChange={(zoom) => updateCrop({ ...crop, side: fullCrop(picture).side / zoom })}
        />
        <Slider
          label={t("account.cropHorizontal")}
          min={crop.side / 2}
          max={picture.width - crop.side / 2}
          value={crop.x}
          onChange={(x) => updateCrop({ ...crop, x })}
        />
        <Slider
          label={t("account.cropVertical")}
          min={crop.side / 2}
          max={picture.height - crop.side / 2}
          value={crop.y}
          onChange={(y) => updateCrop({ ...crop, y })}
        />
      </div>
    </div>
  );
}

/** Keyboard access to the same settings. */
function Slider({
  label,
  min,
  max,
  value,
  onChange,
}: {
  label: string;
  min: number;
  max: number;
  value: number;
  onChange(to: number): void;
}) {
  return (
    <label className="flex flex-col gap-1 text-sm font-semibold">
      {label}
      <input
        type="range"
        className="h-8"
        min={min}
        max={max}
        step="any"
        value={value}
        disabled={max <= min}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  );
}

function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, { x, y, side }: Crop): void {
  const context = canvas?.getContext("2d");
  if (!context) return;
  context.imageSmoothingQuality = "high";
  context.clearRect(0, 0, OUTPUT_SIZE, OUTPUT_SIZE);
  context.drawImage(picture, x - side / 2, y - side / 2, side, side, 0, 0, OUTPUT_SIZE, OUTPUT_SIZE);
}

async function cropImage(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = OUTPUT_SIZE;
  canvas.height = OUTPUT_SIZE;
  draw(canvas, picture, crop);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", QUALITY));
  if (!blob) throw new Error("the browser draws no pictures");
  return blob;
}
