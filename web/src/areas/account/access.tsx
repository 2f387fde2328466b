import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { securityQuery } from "../../data/account.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { AccessList, accessItems } from "../../ui/access-list.tsx";
import { Button } from "../../ui/button.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { CurrentPasswordField, passwordFrom, useReauthError } from "./current-password.tsx";
import { Panel } from "./panel.tsx";

/** What else opens the account, and a button that ends all of it. */
export function AccessPanel() {
  const { t } = useText();
  const { data: security } = useQuery(securityQuery(useApi()));
  if (!security?.hasPassword || accessItems(security.access).length === 0) return null;
  return (
    <Panel title={t("account.access")} description={t("account.accessDescription")}>
      <AccessList access={security.access} text="account.accessItem" />
      <EndAccess />
    </Panel>
  );
}

function EndAccess() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [isOpen, setOpen] = useState(false);
  const end = useAction((api, values: FormValues) => api.endAccess({ password: passwordFrom(values) }), {
    inlineErrors: true,
    onSuccess: () => {
      show(t("account.accessEnded"));
      return queryClient.invalidateQueries();
    },
  });
  const formError = useReauthError(end.error);
  if (!isOpen)
    return (
      <Button variant="danger" className="self-start" onClick={() => setOpen(true)}>
        {t("account.accessEnd")}
      </Button>
    );
  return (
    <Form
      onSubmit={(values) => end.mutate(values)}
      busy={end.isPending}
      error={formError}
      danger
      submitLabel={t("account.accessEnd")}
      secondaryAction={<Button onClick={() => setOpen(false)}>{t("common.cancel")}</Button>}
    >
      <p className="text-sm text-soft">{t("account.accessEndDescription")}</p>
      <CurrentPasswordField error={formError} />
    </Form>
  );
}
