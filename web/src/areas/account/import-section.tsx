import type { Import, ImportPart, ImportPlatform } from "@tandem/contract/imports";
import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, FileArchive, Undo2, X } from "lucide-react";
import { useRef, useState } from "react";
import { importsQuery, isUnfinished, missingQuery } from "../../data/account.ts";
import { importOutcomes, importPartsOf, importPlatforms } from "../../data/choices.plain.ts";
import { useMe } from "../../data/me.ts";
import { uploadClient } from "../../data/upload.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Link } from "../../ui/link.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Time, useRelativeTime } from "../../ui/time.tsx";
import { Badge, Panel, SkeletonLines } from "./panel.tsx";

/** What the file pickers of phones and computers offer. */
const ACCEPT = ".zip,.gz,.tgz,.car,.json,.csv,.js";

/** Imports what an account has elsewhere. */
export function ImportSection() {
  return (
    <>
      <NewImport />
      <ImportList />
    </>
  );
}

function NewImport() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [platform, setPlatform] = useState<ImportPlatform>("mastodon");
  const [left, setLeft] = useState<ReadonlySet<ImportPart>>(new Set());
  const [file, setFile] = useState<File | null>(null);
  const [percent, setPercent] = useState(0);
  const query = importsQuery(useApi());
  const { data: imports } = useQuery(query);
  const isRunning = imports?.some(isUnfinished) ?? false;
  const parts = importPartsOf[platform].filter((part) => !left.has(part));
  const start = useAction(
    (_, sent: File) =>
      uploadClient((bytes, total) => setPercent(total > 0 ? Math.floor((bytes / total) * 100) : 0))
        // Parts that the platform doesn't have are left out.
        .startImport({ platform, file: sent, parts: parts.join() }),
    {
      onSuccess: () => {
        setFile(null);
        void queryClient.invalidateQueries({ queryKey: query.queryKey });
      },
    },
  );
  const toggle = (part: ImportPart) => {
    const next = new Set(left);
    if (!next.delete(part)) next.add(part);
    setLeft(next);
  };
  return (
    <Panel title={t("account.importNew")} description={t("account.importNewDescription")}>
      <RadioGroup<ImportPlatform>
        legend={t("account.importFrom")}
        options={importPlatforms.map((value) => ({ value, label: t(`platform.${value}`) }))}
        selected={platform}
        onSelect={setPlatform}
      />
      <p className="text-sm text-soft" aria-live="polite">
        {t(`account.importHow.${platform}`)}
      </p>
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="mb-1.5 text-sm font-semibold">{t("account.importWhat")}</legend>
        {importPartsOf[platform].map((part) => (
          <Checkbox
            key={part}
            label={t(`account.importPart.${part}`)}
            checked={!left.has(part)}
            onChange={() => toggle(part)}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => input.current?.click()} disabled={start.isPending}>
          <FileArchive className="size-4" aria-hidden="true" />
          {t("account.importFile")}
        </Button>
        <FileInput inputRef={input} accept={ACCEPT} label={t("account.importFile")} onSelect={setFile} />
        <p
          className={`min-w-0 flex-1 basis-48 text-sm text-soft ${file ? "theirs-line" : ""}`}
          aria-live="polite"
        >
          {file?.name ?? t("account.importFileHint", { size: limits.importBytes / 2 ** 20 })}
        </p>
      </div>
      {start.isPending && (
        <p className="text-sm font-medium" role="status">
          {t("account.importUploading", { percent })}
        </p>
      )}
      <Button
        variant="primary"
        className="self-start"
        busy={start.isPending}
        disabled={file === null || parts.length === 0 || isRunning}
        onClick={() => file && start.mutate(file)}
      >
        {t("account.importStart")}
      </Button>
    </Panel>
  );
}

function ImportList() {
  const { t } = useText();
  const { data: imports } = useQuery(importsQuery(useApi()));
  return (
    <Panel title={t("account.importList")}>
      {!imports ? (
        <SkeletonLines count={2} />
      ) : imports.length === 0 ? (
        <p className="text-soft">{t("account.importNone")}</p>
      ) : (
        <ul className="flex flex-col divide-y">
          {imports.map((one) => (
            <ImportItem key={one.id} of={one} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ImportItem({ of: item }: { of: Import }) {
  const { t } = useText();
  const me = useMe();
  const { id, platform, state, problem, parts, counts, missing, createdAt } = item;
  const hasPosts = counts.some(
    ({ part, outcome }) => part === "posts" && (outcome === "added" || outcome === "kept"),
  );
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-2 font-semibold">
        {t(`platform.${platform}`)}
        <span className="text-sm font-normal text-soft">
          <Time at={createdAt} />
        </span>
        {!isUnfinished(item) && (
          <Badge good={state === "done"} bad={state === "failed"}>
            {t(`account.importState.${state}`)}
          </Badge>
        )}
      </p>
      <div role="status">
        {isUnfinished(item) && <Unfinished of={item} />}
        {problem && <p className="text-danger">{t(`account.importProblem.${problem}`)}</p>}
        {state === "undone" && <p className="text-sm">{t("account.importKept")}</p>}
      </div>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        {parts.map((part) => {
          const own = importOutcomes.flatMap((outcome) =>
            counts.filter((one) => one.part === part && one.outcome === outcome),
          );
          return (
            own.length > 0 && (
              <div key={part} className="contents">
                <dt className="font-medium">{t(`account.importPart.${part}`)}</dt>
                <dd className="text-soft">
                  <ul className="flex flex-wrap gap-x-1.5">
                    {own.map(({ outcome, count }, i) => (
                      <li key={outcome}>
                        {t(`account.importOutcome.${outcome}`, { number: count })}
                        {i < own.length - 1 && " ·"}
                      </li>
                    ))}
                  </ul>
                </dd>
              </div>
            )
          );
        })}
      </dl>
      {hasPosts && me && (
        <Link
          to={creatorAddress({ platform: "native", author: me.username })}
          search={{ tab: "imported" }}
          className="inline-flex min-h-6 self-start text-sm font-semibold text-accent hover:underline"
        >
          {t("account.importView")}
        </Link>
      )}
      {missing && <Missing id={id} />}
      {state !== "undoing" && (isOver(item) ? <RemoveButton id={id} /> : <UndoButton id={id} />)}
    </li>
  );
}

function Unfinished({ of: item }: { of: Import }) {
  const { t } = useText();
  const { state, done, total, continuesAt } = item;
  if (continuesAt !== null) return <Paused of={item} until={continuesAt} />;
  return (
    <p className="flex items-center gap-3 text-sm">
      <Spinner />
      {state === "undoing"
        ? t("account.importState.undoing")
        : total === null
          ? t("account.importState.waiting")
          : t("account.importState.working", { done, total })}
    </p>
  );
}

function Paused({ of: { done, total }, until }: { of: Import; until: string }) {
  const { t } = useText();
  const time = useRelativeTime(until, "long");
  return <p className="text-sm">{t("account.importState.paused", { done, total: total ?? 0, time })}</p>;
}

/** Whether there is nothing to undo: it was undone, or failed before it added anything. */
const isOver = ({ state, problem, counts }: Import) =>
  state === "undone" ||
  (state === "failed" && problem !== "undo_failed" && !counts.some(({ outcome }) => outcome === "added"));

function RemoveButton({ id }: { id: number }) {
  const { t } = useText();
  const remove = useUndo(id, () => {});
  return (
    <Button size="small" className="self-start" busy={remove.isPending} onClick={() => remove.mutate()}>
      <X className="size-4" aria-hidden="true" />
      {t("account.importRemove")}
    </Button>
  );
}

/** Takes back what an import added, and forgets it. */
function useUndo(id: number, onDone: () => void) {
  const queryClient = useQueryClient();
  const { queryKey } = importsQuery(useApi());
  return useAction((api) => api.undoImport({ id }), {
    onSuccess: () => {
      onDone();
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

function UndoButton({ id }: { id: number }) {
  const { t } = useText();
  const [isConfirming, setConfirming] = useState(false);
  const undo = useUndo(id, () => setConfirming(false));
  return (
    <>
      <Button size="small" className="self-start" onClick={() => setConfirming(true)}>
        <Undo2 className="size-4" aria-hidden="true" />
        {t("account.importUndo")}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => undo.mutate()}
        busy={undo.isPending}
        title={t("account.importUndoTitle")}
        description={t("account.importUndoDescription")}
        action={t("account.importUndo")}
      />
    </>
  );
}

/** The list is loaded when it is opened. */
function Missing({ id }: { id: number }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const { data: missing } = useQuery({ ...missingQuery(useApi(), id), enabled: isOpen });
  return (
    <details className="text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 cursor-pointer font-semibold">{t("account.importMissing")}</summary>
      <p className="my-2 text-soft">{t("account.importMissingDescription")}</p>
      {missing ? (
        <>
          <ul className="max-h-64 overflow-y-auto rounded-xl bg-sunken px-4 py-2" tabIndex={-1}>
            {missing.map(({ part, name }) => (
              <li key={`${part} ${name}`} className="theirs-line">
                {name}
              </li>
            ))}
          </ul>
          <Button size="small" className="mt-2" onClick={() => save(missing.map(({ name }) => name))}>
            <Download className="size-4" aria-hidden="true" />
            {t("account.importMissingSave")}
          </Button>
        </>
      ) : (
        <SkeletonLines count={1} />
      )}
    </details>
  );
}

/** Has the browser download a text file with a line for each. */
function save(names: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${names.join("\n")}\n`], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "tandem-not-found.txt";
  link.click();
  URL.revokeObjectURL(url);
}
