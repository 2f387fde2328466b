import { Bot, Globe, KeyRound, User } from "lucide-react";
import type { ReactNode } from "react";
import type { ShownVersion, Version } from "../../data/versions.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { Difference } from "./difference.tsx";

/** A version: when it was made, who made it, its mark, and what it changed. */
export function VersionCard({ shown: { version, before } }: { shown: ShownVersion }) {
  const { t } = useText();
  const titleId = `version-${version.version}`;
  return (
    <li>
      <article aria-labelledby={titleId} className="card-flush flex flex-col gap-3 p-4 sm:p-5">
        <header className="flex flex-col gap-1.5">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 id={titleId} className="font-semibold">
              {t("versions.number", { number: version.version })}
            </h2>
            {version.current && (
              <span className="rounded-full bg-sunken px-2 py-0.5 text-xs font-semibold">
                {t("versions.current")}
              </span>
            )}
            <span className="text-sm text-soft">
              <Time at={version.madeAt} />
            </span>
            <span className="ms-auto">
              <ProvenanceBadge provenance={version.provenance} provenanceBasis={version.provenanceBasis} />
            </span>
          </div>
          <Maker version={version} />
        </header>
        <Changes version={version} before={before} />
      </article>
      {version.notKept > 0 && (
        <p className="px-4 pt-4 text-center text-sm text-soft">
          {t("versions.notKept", { count: version.notKept })}
        </p>
      )}
    </li>
  );
}

const makerIcons = { person: User, ai: Bot, origin: Globe, unknown: User };

function Maker({ version: { madeBy, version, key } }: { version: Version }) {
  const { t } = useText();
  const Icon = makerIcons[madeBy];
  const isFirst = version === 1;
  return (
    <p
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 text-sm ${madeBy === "ai" ? "text-agent" : "text-soft"}`}
    >
      <span className="inline-flex items-center gap-1.5">
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        {t(isFirst ? `versions.written.${madeBy}` : `versions.edited.${madeBy}`)}
      </span>
      {key && (
        <span className="inline-flex items-center gap-1.5">
          <KeyRound className="size-4 shrink-0" aria-hidden="true" />
          {key.name === null ? t("versions.revokedKey") : t("versions.key", { name: key.name })}
        </span>
      )}
    </p>
  );
}

function Changes({ version, before }: ShownVersion) {
  const { t } = useText();
  if (version.cleared) return <Cleared cleared={version.cleared} />;
  const isComparable = before !== undefined && before.cleared === null;
  const rows = isComparable
    ? changedFields(before, version)
    : fieldsOf(version).map((field) => ({ ...field, was: null }));
  const notes = isComparable ? notesOf(before, version) : [];
  return (
    <>
      {rows.map(({ name, text, was }) => (
        <Field key={name} label={name === "body" ? null : t(`versions.field.${name}`)}>
          {was === null ? (
            <p className="theirs whitespace-pre-line">{text}</p>
          ) : (
            <Difference before={was} after={text} />
          )}
        </Field>
      ))}
      {notes.map((note) => (
        <p key={note} className="text-sm text-soft">
          {t(note)}
        </p>
      ))}
      {before?.cleared && <p className="text-sm text-soft">{t("versions.whole")}</p>}
    </>
  );
}

function Field({ label, children }: { label: string | null; children: ReactNode }) {
  return (
    <div>
      {label !== null && <p className="text-xs font-semibold text-soft">{label}</p>}
      {children}
    </div>
  );
}

function Cleared({ cleared: { at, by } }: { cleared: NonNullable<Version["cleared"]> }) {
  const { t } = useText();
  return (
    <p className="rounded-lg border border-dashed border-edge px-3 py-2 text-sm text-soft">
      {t(`versions.cleared.${by}`)} · <Time at={at} />
    </p>
  );
}

const textFields = ["title", "contentWarning", "body", "url", "alt"] as const;
type TextField = (typeof textFields)[number];

function fieldsOf(version: Version): { name: TextField; text: string }[] {
  return textFields.flatMap((name) => {
    const text = version[name] ?? "";
    return text === "" ? [] : [{ name, text }];
  });
}

function changedFields(before: Version, after: Version) {
  return textFields.flatMap((name) => {
    const was = before[name] ?? "";
    const text = after[name] ?? "";
    return was === text ? [] : [{ name, text, was }];
  });
}

const sensitiveNote = ({ sensitive }: Version) =>
  sensitive ? ("versions.sensitive" as const) : ("versions.notSensitive" as const);

/** Changes other than those of a text. */
function notesOf(before: Version, after: Version): TextKey[] {
  const marked = before.provenance !== after.provenance || before.provenanceBasis !== after.provenanceBasis;
  const products = String(before.productIds) !== String(after.productIds);
  return [
    ...(before.otherMedia && !after.otherMedia ? ["versions.otherMedia" as const] : []),
    ...(before.sensitive === after.sensitive ? [] : [sensitiveNote(after)]),
    ...(products ? ["versions.products" as const] : []),
    ...(marked ? ["versions.marked" as const] : []),
  ];
}
