import { Download } from "lucide-react";
import { useRef } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";

/** Recovery codes for two-factor authentication. They are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { t } = useText();
  const text = codes.join("\n");
  const list = useRef<HTMLUListElement>(null);
  return (
    <div className="flex flex-col gap-4" role="status">
      <p className="font-semibold">{t("account.codesTitle")}</p>
      <p className="text-soft">{t("account.codesDescription")}</p>
      <ul
        ref={list}
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-xl bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} target={list} label={t("account.copyCodes")} />
        <Button
          size="small"
          className="min-h-10"
          onClick={() => downloadText(`${text}\n`, "tandem-recovery-codes.txt")}
        >
          <Download className="size-4" aria-hidden="true" />
          {t("account.downloadCodes")}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t("account.codesSaved")}
        </Button>
      </div>
    </div>
  );
}

function downloadText(text: string, name: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href, download: name });
  link.click();
  URL.revokeObjectURL(href);
}
