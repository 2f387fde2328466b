import { limits } from "@tandem/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { exportQuery } from "../../data/account.ts";
import { useLeaveAccount } from "../../data/log-out.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, buttonLook, Spinner } from "../../ui/button.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Time } from "../../ui/time.tsx";
import { OwnerField, passwordIn, useOwnerFault } from "./current-password.tsx";
import { Lines, Panel } from "./panel.tsx";

/** All that there is of one here: to take along, and to remove. */
export function DataSection() {
  return (
    <>
      <Export />
      <Deletion />
    </>
  );
}

function Export() {
  const { t, locale } = useText();
  const queryClient = useQueryClient();
  const query = exportQuery(useApi());
  const { data: made } = useQuery(query);
  const start = useAction((api) => api.startExport(), {
    onSuccess: (answer) => queryClient.setQueryData(query.queryKey, answer),
  });
  const size = new Intl.NumberFormat(locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 });
  return (
    <Panel title={t("account.export")} says={t("account.exportSays", { days: limits.exportDays })}>
      <div role="status" className="flex flex-col items-start gap-3">
        {!made ? (
          <Lines count={1} />
        ) : made.state === "working" ? (
          <p className="flex items-center gap-3">
            <Spinner />
            {t("account.exporting")}
          </p>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            {made.state === "ready" && made.url !== null && (
              <a href={made.url} download className={buttonLook("primary")}>
                <Download className="size-4" aria-hidden="true" />
                {t("account.download")} ({size.format(Math.ceil((made.bytes ?? 0) / 1000))})
              </a>
            )}
            <Button onClick={() => start.mutate()} busy={start.isPending}>
              {t(made.state === "ready" ? "account.exportAgain" : "account.exportStart")}
            </Button>
          </div>
        )}
        {made?.expiresAt && (
          <p className="text-sm text-soft">
            {t("account.exportUntil")} <Time at={made.expiresAt} />
          </p>
        )}
      </div>
    </Panel>
  );
}

/** Says plainly what goes, and asks twice. */
function Deletion() {
  const { t } = useText();
  const me = useMe();
  const [asks, setAsks] = useState(false);
  const leave = useLeaveAccount();
  const remove = useAction((api, values: FormValues) => api.deleteAccount({ password: passwordIn(values) }), {
    inlineErrors: true,
    onSuccess: leave,
  });
  const fault = useOwnerFault(remove.error);
  return (
    <Panel title={t("account.delete")} says={t("account.deleteSays")} danger>
      <ul className="list-disc ps-5 text-soft marker:text-danger">
        {(["posts", "agents", "messages", "comments"] as const).map((what) => (
          <li key={what}>{t(`account.delete.${what}`)}</li>
        ))}
      </ul>
      {asks ? (
        <Form
          onSend={(values) => remove.mutate(values)}
          busy={remove.isPending || remove.isSuccess}
          fault={fault}
          danger
          button={t("account.deletePress", { name: me?.username ?? "" })}
          beside={<Button onClick={() => setAsks(false)}>{t("account.deleteNot")}</Button>}
        >
          <OwnerField fault={fault} />
        </Form>
      ) : (
        <Button look="danger" className="self-start" onClick={() => setAsks(true)}>
          {t("account.delete")}
        </Button>
      )}
    </Panel>
  );
}
