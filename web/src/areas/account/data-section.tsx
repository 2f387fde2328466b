import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { exportQuery } from "../../data/account.ts";
import { useEndLocalSession } from "../../data/log-out.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button, buttonClass, Spinner } from "../../ui/button.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Deadline } from "../../ui/time.tsx";
import { CurrentPasswordField, passwordFrom, useReauthError } from "./current-password.tsx";
import { Panel, SkeletonLines } from "./panel.tsx";

/** Exports the account's data, and deletes the account. */
export function DataSection() {
  return (
    <>
      <ExportPanel />
      <DeleteAccountPanel />
    </>
  );
}

function ExportPanel() {
  const { t, locale } = useText();
  const queryClient = useQueryClient();
  const query = exportQuery(useApi());
  const { data: exported } = useQuery(query);
  const start = useAction((api) => api.startExport(), {
    onSuccess: (response) => queryClient.setQueryData(query.queryKey, response),
  });
  const size = new Intl.NumberFormat(locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 });
  return (
    <Panel
      title={t("account.export")}
      description={t("account.exportDescription", { days: limits.exportDays })}
    >
      <div role="status" className="flex flex-col items-start gap-3">
        {!exported ? (
          <SkeletonLines count={1} />
        ) : exported.state === "working" ? (
          <p className="flex items-center gap-3">
            <Spinner />
            {t("account.exporting")}
          </p>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            {exported.state === "ready" && exported.url !== null && (
              <a href={exported.url} download className={buttonClass("primary")}>
                <Download className="size-4" aria-hidden="true" />
                {t("account.download")} ({size.format(Math.ceil((exported.bytes ?? 0) / 1000))})
              </a>
            )}
            <Button onClick={() => start.mutate()} busy={start.isPending}>
              {t(exported.state === "ready" ? "account.exportAgain" : "account.exportStart")}
            </Button>
          </div>
        )}
        {exported?.expiresAt && (
          <p className="text-sm text-soft">
            {t("account.exportUntil")} <Deadline at={exported.expiresAt} />
          </p>
        )}
      </div>
    </Panel>
  );
}

/** Lists what will be deleted, and asks for confirmation. */
function DeleteAccountPanel() {
  const { t } = useText();
  const me = useMe();
  const [isConfirming, setConfirming] = useState(false);
  const endLocalSession = useEndLocalSession("/");
  const remove = useAction(
    (api, values: FormValues) => api.deleteAccount({ password: passwordFrom(values) }),
    {
      inlineErrors: true,
      onSuccess: endLocalSession,
    },
  );
  const formError = useReauthError(remove.error);
  return (
    <Panel title={t("account.delete")} description={t("account.deleteDescription")} danger>
      <ul className="list-disc ps-5 text-soft marker:text-danger">
        {(["posts", "agents", "messages", "comments"] as const).map((item) => (
          <li key={item}>{t(`account.delete.${item}`)}</li>
        ))}
      </ul>
      {isConfirming ? (
        <Form
          onSubmit={(values) => remove.mutate(values)}
          busy={remove.isPending || remove.isSuccess}
          error={formError}
          danger
          submitLabel={t("account.deleteSubmit", { name: me ? fullName(me.username, me.displayName) : "" })}
          secondaryAction={<Button onClick={() => setConfirming(false)}>{t("common.cancel")}</Button>}
        >
          <CurrentPasswordField error={formError} />
        </Form>
      ) : (
        <Button variant="danger" className="self-start" onClick={() => setConfirming(true)}>
          {t("account.delete")}
        </Button>
      )}
    </Panel>
  );
}
