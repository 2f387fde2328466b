import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { type StoredDraft, useStoredDraft } from "../../data/draft-storage.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button, ButtonLink, Spinner } from "../../ui/button.tsx";
import { Failure } from "../../ui/error-notice.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { nothing, orNull, type Written, wrongWith } from "./draft.ts";
import { useChosen, useDropped, useMedia } from "./file-input.tsx";
import { kindOf } from "./media-check.ts";
import { type Media, MediaField } from "./media-field.tsx";
import { ProductsField } from "./products-field.tsx";
import { ProvenanceField } from "./provenance-field.tsx";
import { Found } from "./restored-draft.tsx";
import { Schedule } from "./schedule-dialog.tsx";
import { WordsFields } from "./text-fields.tsx";
import { Sending } from "./upload-progress.tsx";
import { askFirst, type NewPost, usePublish, usePublishing } from "./use-publish.ts";

/** Where a new post is written. */
export function Compose() {
  const { t } = useText();
  return (
    <div className="column">
      <PageTitle
        actions={
          <ButtonLink to="/drafts" size="small">
            {t("composer.drafts")}
          </ButtonLink>
        }
      >
        {t("composer.new")}
      </PageTitle>
      <OneAtATime />
    </div>
  );
}

/** Who comes back while their post is on its way sees that it is; what is written after that is another. */
function OneAtATime() {
  const { t } = useText();
  const onItsWay = usePublishing();
  const [waits] = useState(onItsWay);
  if (!waits || !onItsWay) return <NewPostForm />;
  return (
    <p role="status" className="card flex items-center gap-3 p-6">
      <Spinner label={t("common.loading")} /> {t("composer.onItsWay")}
    </p>
  );
}

function NewPostForm() {
  const { t } = useText();
  const me = useMe();
  const kept = useStoredDraft<Written>("post", nothing);
  const written = kept.value;
  const [media, setMedia, clearMedia] = useMedia();
  const [tries, setTries] = useState(0);
  const [altAsked, setAltAsked] = useState(false);
  const [scheduling, setScheduling] = useState(false);
  const begin = () => {
    clearMedia();
    setTries(0);
    setAltAsked(false);
  };
  const clear = () => {
    kept.clear();
    begin();
  };
  const sent = () => {
    kept.clearSent();
    begin();
  };
  const sending = usePublish(kept, sent);
  const saving = useSaveDraft(kept, sent);
  const busy = sending.publishing || saving.pending;
  const change = (values: Partial<Written>) => kept.change(values);
  const { unfit, choose } = useChosen((chosen) => {
    setMedia(chosen);
    setAltAsked(false);
    change({ fileName: chosen.file?.name ?? "" });
  });
  const drop = useDropped((file) => !busy && choose({ file, poster: null }));
  useWarning(media.file !== null);
  const wrong = wrongWith({ ...written, alt: media.file ? written.alt : "" });
  const lost = media.file ? "" : written.fileName;
  const isFine = Object.keys(wrong).length === 0;
  const error = sending.error ?? saving.error;
  const form = useFocusFirstError(error ?? tries);
  const tried = () => setTries(tries + 1);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tried();
    if (sending.publishing || !isFine) return;
    // Asked once; who has no words for it may still go on.
    if (media.file && written.alt.trim() === "" && !altAsked) return setAltAsked(true);
    sending.publish(postOf(written, media));
  };
  const save = (publishAt: string | null) => {
    tried();
    if (isFine) saving.save({ ...wordsOf(written), publishAt });
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      {...drop.handlers}
      className={`card flex flex-col gap-5 p-4 max-sm:rounded-none max-sm:border-x-0 sm:p-6 ${drop.over ? "outline-2 outline-accent outline-dashed" : ""}`}
    >
      {(kept.isRestored || lost !== "") && <Found lost={lost} onClear={clear} />}
      <WordsFields
        words={written}
        onChange={change}
        wrong={tries > 0 ? wrong : {}}
        error={error}
        readOnly={busy}
        card={media.file ? false : null}
      />
      <MediaField
        media={media}
        onChange={choose}
        alt={written.alt}
        onAlt={(alt) => change({ alt })}
        readOnly={busy}
        altWanted={altAsked}
        wrong={tries > 0 ? wrong : {}}
        error={error}
        unfit={unfit}
      />
      <ProductsField chosen={written.productIds} onChange={(productIds) => change({ productIds })} />
      {me?.role !== "agent" && (
        <ProvenanceField value={written.provenance} onChange={(provenance) => change({ provenance })} />
      )}
      <Failure error={error} />
      <Sending progress={sending.progress} onCancel={sending.cancel} />
      <div className="flex flex-wrap items-center justify-end gap-2 border-t pt-4">
        {media.file ? (
          <p className="me-auto text-sm text-soft">{t("composer.draftsKeepWords")}</p>
        ) : (
          <span className="me-auto flex flex-wrap gap-2">
            <Button look="quiet" busy={saving.pending} onClick={() => save(null)}>
              {t("composer.saveDraft")}
            </Button>
            <Button look="quiet" onClick={() => (isFine ? setScheduling(true) : tried())}>
              {t("composer.schedule")}
            </Button>
          </span>
        )}
        <Button type="submit" look="primary" busy={sending.publishing}>
          {t(altAsked && written.alt.trim() === "" ? "composer.postWithoutAlt" : "composer.post")}
        </Button>
      </div>
      <Schedule
        open={scheduling}
        onClose={() => setScheduling(false)}
        onChoose={save}
        busy={saving.pending}
      />
    </form>
  );
}

/** What the API is sent of what was written. */
function wordsOf({ title, body, url, provenance, productIds }: Written) {
  return {
    title: title.trim(),
    body: orNull(body),
    url: orNull(url),
    provenance,
    ...(productIds.length > 0 && { productIds }),
  };
}

function postOf(written: Written, { file, poster }: Media): NewPost {
  const words = wordsOf(written);
  if (!file) return words;
  const alt = orNull(written.alt);
  if (kindOf(file) === "picture") return { ...words, alt, image: file };
  return { ...words, alt, video: file, ...(poster && { thumbnail: poster }) };
}

/** Keeps what was written with the service, to be published later; and goes to where it lies. */
function useSaveDraft(kept: StoredDraft<Written>, onSaved: () => void) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const here = useStillOnPage();
  const { mutate, isPending, error } = useAction(
    (api, draft: Parameters<typeof api.createDraft>[0]) =>
      api.createDraft(draft, { idempotencyKey: kept.idempotencyKeyFor({ draft }) }),
    {
      inlineErrors: true,
      onSuccess: ({ draft }) => {
        onSaved();
        void queryClient.invalidateQueries({ queryKey: ["drafts"] });
        show(t(draft.state === "scheduled" ? "composer.scheduled" : "composer.saved"));
        if (here()) void navigate({ to: "/drafts" });
      },
    },
  );
  return { save: mutate, pending: isPending, error };
}

/** A file isn't kept by the browser: who leaves with one chosen is asked whether they mean to. */
function useWarning(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    addEventListener("beforeunload", askFirst);
    return () => removeEventListener("beforeunload", askFirst);
  }, [on]);
}
