import { limits } from "@tandem/contract/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { liveAddress } from "../../shared/addresses.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, faultOf, useFault } from "../../ui/form.tsx";
import { EndButton } from "./end-button.tsx";
import { useLives } from "./use-lives.ts";

type Ingest = { url: string; streamKey: string };

/** From a title to what broadcasting software wants to know; and the end of it. */
export default function GoLive({ username, onClose }: { username: string; onClose(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const lives = useLives().data ?? [];
  const own = lives.find((one) => one.username === username);
  const kept = useStoredDraft("live", { title: own?.title ?? "" });
  const { title } = kept.value;
  const start = useAction((api, wanted: string) => api.startLive({ title: wanted }), {
    inlineErrors: true,
    onSuccess: () => {
      kept.clear();
      return queryClient.invalidateQueries({ queryKey: ["lives"] });
    },
  });
  const cancel = () => {
    kept.clear();
    onClose();
  };
  const fault = useFault(start.error, ["title"]);
  return (
    <Dialog open onClose={onClose} title={t("live.go")} says={start.data ? undefined : t("live.goSays")}>
      {start.data ? (
        <Started ingest={start.data.ingest} username={username} onClose={onClose} />
      ) : (
        <Form
          onSend={() => start.mutate(title.trim())}
          busy={start.isPending}
          fault={fault}
          button={t(own ? "live.rename" : "live.begin")}
          beside={
            own ? <EndButton onEnded={onClose} /> : <Button onClick={cancel}>{t("common.cancel")}</Button>
          }
        >
          <Field
            name="title"
            label={t("live.field.title")}
            hint={t("live.hint.title")}
            value={title}
            readOnly={start.isPending}
            onChange={({ target }) => kept.change({ title: target.value })}
            maxLength={limits.liveTitle}
            required
            error={faultOf(fault, "title")}
          />
        </Form>
      )}
    </Dialog>
  );
}

function Started({
  ingest,
  username,
  onClose,
}: {
  ingest: Ingest | null;
  username: string;
  onClose(): void;
}) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-4">
      {ingest ? (
        <>
          <p>{t("live.ingestSays")}</p>
          <Copied label={t("live.ingest.url")} value={ingest.url} />
          <Copied label={t("live.ingest.streamKey")} value={ingest.streamKey} hint={t("live.once")} />
        </>
      ) : (
        <p>{t("live.noIngest")}</p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <EndButton onEnded={onClose} />
        <ButtonLink to={liveAddress(username)} look="primary">
          {t("live.toOwn")}
        </ButtonLink>
      </div>
    </div>
  );
}

/** A value that is to be taken elsewhere, whole. */
function Copied({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const { t } = useText();
  const shown = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-end gap-2">
      <Field
        ref={shown}
        label={label}
        value={value}
        readOnly
        hint={hint}
        className="min-w-0 flex-1 [&_input]:font-mono [&_input]:text-sm"
        onFocus={({ target }) => target.select()}
      />
      <CopyButton
        text={value}
        shown={shown}
        label={t("live.copy", { what: label })}
        className="min-h-11 sm:min-h-11"
      />
    </div>
  );
}
