import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { securityQuery } from "../data/account.ts";
import { askForPasskey } from "../data/passkey.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { Button, ButtonLink } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, type FormValues, fieldErrorOf, useFormError } from "./form.tsx";
import { PasswordField } from "./password-field.tsx";
import { Skeleton } from "./states.tsx";

/** Asks for the password or a passkey, in case someone else uses an unlocked screen. */
export default function StepUpDialog({ onDone, onClose }: { onDone(): void; onClose(): void }) {
  const { t } = useText();
  const { data: security } = useQuery({ ...securityQuery(useApi()), staleTime: 0 });
  const hasPasskey = (security?.access.passkeys ?? 0) > 0;
  return (
    <Dialog open onClose={onClose} title={t("card.proof")} description={t("card.proofDescription")}>
      <div className="flex flex-col gap-4">
        {!security && <Skeleton className="h-24 w-full" />}
        {security?.hasPassword && <ByPassword onDone={onDone} onClose={onClose} />}
        {hasPasskey && <ByPasskey onDone={onDone} />}
        {security && !security.hasPassword && !hasPasskey && (
          <>
            <p>{t("card.proofByLogin")}</p>
            <ButtonLink to="/settings" className="self-start">
              {t("nav.settings")}
            </ButtonLink>
          </>
        )}
      </div>
    </Dialog>
  );
}

function ByPassword({ onDone, onClose }: { onDone(): void; onClose(): void }) {
  const { t } = useText();
  const prove = useAction((api, { password = "" }: FormValues) => api.reauthenticate({ password }), {
    inlineErrors: true,
    onSuccess: onDone,
  });
  const formError = useFormError(prove.error, ["password"], ({ code }) =>
    code === "forbidden" ? t("card.proofWrongPassword") : null,
  );
  return (
    <Form
      onSubmit={(values) => prove.mutate(values)}
      busy={prove.isPending}
      error={formError}
      submitLabel={t("common.continue")}
      secondaryAction={<Button onClick={onClose}>{t("common.cancel")}</Button>}
    >
      <PasswordField
        name="password"
        label={t("card.proofPassword")}
        error={fieldErrorOf(formError, "password")}
      />
    </Form>
  );
}

function ByPasskey({ onDone }: { onDone(): void }) {
  const { t } = useText();
  const prove = useAction(async (api) => api.reauthenticate(await askForPasskey(api)), { onSuccess: onDone });
  return (
    <Button onClick={() => prove.mutate()} busy={prove.isPending} className="self-start">
      <KeyRound className="size-4" aria-hidden="true" />
      {t("card.proofByPasskey")}
    </Button>
  );
}
