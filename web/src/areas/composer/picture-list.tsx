import { limits } from "@tandem/contract/limits";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { AltField } from "./alt-field.tsx";
import { swapped, withAlt, withoutItem } from "./alt-texts.ts";
import { useObjectUrl } from "./media-selection.ts";
import { FileName, type SelectedProps, Thumbnail } from "./selected-file.tsx";

type Action = "earlier" | "later" | "remove";

/** Several pictures in their order, each with its description, which can be moved and removed. */
export function PictureList({ media, alts, onChange, altErrors, readOnly, note }: SelectedProps) {
  const { t } = useText();
  const list = useRef<HTMLUListElement>(null);
  // What the last action was done to: its button gets the focus again, as the picture's place in the page changes.
  const [acted, setActed] = useState<{ action: Action; at: number } | null>(null);
  const { files } = media;
  const count = files.length;
  const all = files.map((_, i) => alts[i] ?? "");
  useEffect(() => {
    const item = acted && list.current?.children[Math.min(acted.at, list.current.children.length - 1)];
    item?.querySelector<HTMLElement>(`[data-action="${acted?.action}"]`)?.focus();
  }, [acted]);
  const act = (action: Action, at: number) => {
    if (action === "remove") {
      setActed({ action, at });
      return onChange({ ...media, files: withoutItem(files, at) }, withoutItem(all, at));
    }
    const to = action === "earlier" ? at - 1 : at + 1;
    if (to < 0 || to >= count) return;
    setActed({ action, at: to });
    onChange({ ...media, files: swapped(files, at, to) }, swapped(all, at, to));
  };
  return (
    <section aria-label={t("composer.media")} className="rounded-xl border bg-surface">
      <ul ref={list} className="divide-y">
        {files.map((file, i) => (
          <Item
            key={keyOf(file)}
            file={file}
            number={i + 1}
            count={count}
            alt={all[i] ?? ""}
            onAlt={(alt) => onChange(media, withAlt(all, i, alt))}
            altError={altErrors[i] ?? null}
            readOnly={readOnly}
            onAct={(action) => act(action, i)}
          />
        ))}
      </ul>
      <div className="border-t px-3 py-2 text-sm text-soft">
        <p>{t("composer.pictureCount", { count, limit: limits.picturesPerPost })}</p>
        <p>{note}</p>
      </div>
      <p role="status" className="sr-only">
        {acted && acted.action !== "remove" && t("card.pictureOf", { number: acted.at + 1, count })}
      </p>
    </section>
  );
}

interface ItemProps {
  file: File;
  number: number;
  count: number;
  alt: string;
  onAlt(alt: string): void;
  altError: string | null;
  readOnly: boolean;
  onAct(action: Action): void;
}

function Item({ file, number, count, alt, onAlt, altError, readOnly, onAct }: ItemProps) {
  const { t } = useText();
  const address = useObjectUrl(file);
  const button = (action: Action, isOff: boolean) => ({
    label: t(`composer.picture.${action}`, { number }),
    "data-action": action,
    // Not disabled: it keeps the focus at either end.
    "aria-disabled": isOff || readOnly,
    className: "aria-disabled:opacity-40",
    onClick: () => !isOff && !readOnly && onAct(action),
  });
  return (
    <li className="flex items-start gap-1 py-3 ps-3 pe-1 max-sm:[&_img]:size-16">
      <div className="min-w-0 flex-1">
        <AltField
          label={t("composer.altOf", { number })}
          alt={alt}
          onChange={onAlt}
          error={altError}
          readOnly={readOnly}
          number={number}
          thumbnail={<Thumbnail address={address} alt={alt} />}
          details={
            <div className="mt-1 text-sm text-soft">
              <FileName file={file} />
            </div>
          }
        />
      </div>
      <div className="flex flex-col">
        <IconButton {...button("remove", false)}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton {...button("earlier", number === 1)}>
          <ArrowUp className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton {...button("later", number === count)}>
          <ArrowDown className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
}

const keys = new WeakMap<File, number>();
let lastKey = 0;

/** Files have no ids, and two can have the same name. */
function keyOf(file: File): number {
  const known = keys.get(file);
  if (known !== undefined) return known;
  lastKey += 1;
  keys.set(file, lastKey);
  return lastKey;
}
