import type { Post } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostMedia } from "../../posts/post-media.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Failure } from "../../ui/error-notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Empty, PageTitle } from "../../ui/states.tsx";
import { useFocusFirstError } from "../../ui/use-focus-first-error.ts";
import { orNull, type Words, wrongWith } from "./draft.ts";
import { ProductsField } from "./products-field.tsx";
import { Found } from "./restored-draft.tsx";
import { WordsFields } from "./text-fields.tsx";

interface Changed extends Words {
  productIds: number[];
}

/** Where a post of one's own is changed. Its picture or video stays as it is. */
export function Edit({ post }: { post: Post }) {
  const { t } = useText();
  const me = useMe();
  if (post.platform !== "native" || post.author !== me?.username)
    return (
      <Empty
        whole
        title={t("composer.notYours")}
        action={<ButtonLink to={postAddress(post.id)}>{t("composer.toPost")}</ButtonLink>}
      />
    );
  return (
    <div className="column">
      <PageTitle>{t("composer.edit")}</PageTitle>
      <EditForm post={post} />
    </div>
  );
}

function EditForm({ post }: { post: Post }) {
  const { t } = useText();
  const { id, title, body, url, alt, card, mediaType } = post;
  const hasMedia = mediaType !== "text" && mediaType !== "link";
  const kept = useStoredDraft<Changed>(`edit.post.${id}`, {
    title: title ?? "",
    body: body ?? "",
    url: url ?? "",
    alt: alt ?? "",
    productIds: [],
  });
  const [tries, setTries] = useState(0);
  const { save, pending, error } = useSave(post, kept.clear);
  const form = useFocusFirstError(error ?? tries);
  const wrong = wrongWith(kept.value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (!pending && Object.keys(wrong).length === 0) save(kept.value);
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="card flex flex-col gap-5 p-4 max-sm:rounded-none max-sm:border-x-0 sm:p-6"
    >
      {kept.isRestored && <Found onClear={kept.clear} />}
      <WordsFields
        words={kept.value}
        onChange={kept.change}
        wrong={tries > 0 ? wrong : {}}
        error={error}
        readOnly={pending}
        linked={!hasMedia}
        card={kept.value.url === url ? card : null}
      />
      {hasMedia && (
        <>
          <PostMedia post={post} />
          <TextArea
            label={t("composer.alt")}
            hint={t("composer.altSays")}
            error={tries > 0 && wrong.alt ? t(wrong.alt) : fieldErrorMessage("alt", error, t)}
            value={kept.value.alt}
            onChange={({ target }) => kept.change({ alt: target.value })}
          />
        </>
      )}
      <ProductsField
        chosen={kept.value.productIds}
        attached={post.products}
        onChange={(productIds) => kept.change({ productIds })}
      />
      <Failure error={error} />
      <div className="flex flex-wrap justify-end gap-2 border-t pt-4">
        <ButtonLink to={postAddress(id)} onClick={kept.clear}>
          {t("common.cancel")}
        </ButtonLink>
        <Button type="submit" look="primary" busy={pending}>
          {t("common.save")}
        </Button>
      </div>
    </form>
  );
}

/** Sends what has changed, and nothing else; then attaches what is to be attached. */
function useSave(post: Post, onSaved: () => void) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const here = useStillOnPage();
  const { mutate, isPending, error } = useAction(
    async (api, { productIds, ...words }: Changed) => {
      const changes = changesOf(post, words);
      const { id } = post;
      let now = post;
      if (Object.keys(changes).length > 0) ({ post: now } = await api.editPost({ id, ...changes }));
      for (const productId of productIds) ({ post: now } = await api.attachProduct({ id, productId }));
      return now;
    },
    {
      inlineErrors: true,
      onSuccess: (now) => {
        onSaved();
        changePost(queryClient, post.id, () => now);
        show(t("composer.changed"));
        if (here()) void navigate({ to: postAddress(post.id) });
      },
    },
  );
  return { save: mutate, pending: isPending, error };
}

function changesOf(post: Post, { title, body, url, alt }: Words) {
  return {
    ...(title.trim() !== post.title && { title: title.trim() }),
    ...(orNull(body) !== post.body && { body: orNull(body) }),
    ...(orNull(url) !== post.url && { url: orNull(url) }),
    ...(orNull(alt) !== post.alt && { alt: orNull(alt) }),
  };
}
