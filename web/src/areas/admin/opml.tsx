import { SOURCES_OPML_PATH } from "@tandem/contract/documents";
import type { ImportResult } from "@tandem/contract/sources";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { adminKey } from "../../data/admin.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";

/** Adds the sources of a file, and exports all sources as one. Lists what became of each address. */
export function Opml() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const upload = useAction((api, file: Blob) => api.importSources({ file }), {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: adminKey }),
  });
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2 px-4 sm:px-0">
        <Button size="small" busy={upload.isPending} onClick={() => input.current?.click()}>
          {t("admin.opmlImport")}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".opml,.xml,text/x-opml,text/xml,application/xml"
          aria-label={t("admin.opmlImport")}
          hidden
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file) upload.mutate(file);
            // So that the same file can be chosen again.
            currentTarget.value = "";
          }}
        />
        <a href={SOURCES_OPML_PATH} download className={buttonClass("secondary", "small")}>
          {t("admin.opmlExport")}
        </a>
      </div>
      {upload.data && <Results {...upload.data} onDone={() => upload.reset()} />}
    </>
  );
}

function Results({
  added,
  results,
  onDone,
}: {
  added: number;
  results: readonly ImportResult[];
  onDone: () => void;
}) {
  const { t } = useText();
  return (
    <section className="card-flush mb-4 flex flex-col gap-3 p-4">
      <div className="flex items-center justify-between gap-3">
        <div role="status">
          <h2 className="font-semibold">{t("admin.opmlAdded", { added, all: results.length })}</h2>
        </div>
        <Button size="small" onClick={onDone}>
          {t("common.close")}
        </Button>
      </div>
      {added > 0 && <p className="text-sm text-soft">{t("admin.opmlNext")}</p>}
      <ul className="flex max-h-96 flex-col divide-y overflow-y-auto">
        {results.map((result) => (
          <ResultRow key={`${result.url} ${result.name}`} result={result} />
        ))}
      </ul>
    </section>
  );
}

function ResultRow({ result: { url, name, result, sourceId, message } }: { result: ImportResult }) {
  const { t } = useText();
  const isProblem = result === "invalid" || result === "refused";
  return (
    <li className="flex items-baseline justify-between gap-3 py-2 text-sm">
      <div className="min-w-0">
        {sourceId === null ? (
          <p className="theirs-line">{name ?? url}</p>
        ) : (
          <Link to={`/admin/sources/${sourceId}`} className="theirs-line block hover:underline">
            {name ?? url}
          </Link>
        )}
        <p className="theirs-line text-soft">{url}</p>
        {message && <p className="theirs text-danger">{message}</p>}
      </div>
      <span className={`whitespace-nowrap ${isProblem ? "text-danger" : "text-soft"}`}>
        {t(`admin.import.${result}`)}
      </span>
    </li>
  );
}
