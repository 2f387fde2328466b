import type { Post } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostMedia } from "../../posts/post-media.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { WithAside } from "../../ui/aside.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { EmptyState, PageTitle } from "../../ui/states.tsx";
import { AltField, StoredAltFields } from "./alt-field.tsx";
import { altsOf, sentAlts } from "./alt-texts.ts";
import { type PostText, sentText, writtenText } from "./draft.ts";
import { PostEditor } from "./editor.tsx";
import { Formatting } from "./formatting.tsx";
import { SubmitButton, usePostForm } from "./post-form.tsx";
import { FixedProvenance } from "./provenance-field.tsx";
import { RestoredDraft } from "./restored-draft.tsx";

interface PostChanges extends PostText {
  productIds: number[];
}

/** The page to edit one of your posts. Its picture or video can't be changed. */
export function EditPost({ post }: { post: Post }) {
  const { t } = useText();
  const me = useMe();
  if (post.platform !== "native" || post.author !== me?.username)
    return (
      <EmptyState
        drawing="lock"
        isPage
        title={t("composer.notAuthor")}
        action={<ButtonLink to={postAddress(post.id)}>{t("composer.viewPost")}</ButtonLink>}
      />
    );
  return (
    <WithAside aside={<Formatting />}>
      <div>
        <PageTitle>{t("composer.edit")}</PageTitle>
        <EditForm post={post} />
      </div>
    </WithAside>
  );
}

function EditForm({ post }: { post: Post }) {
  const { t } = useText();
  const { id, url, card, mediaType, mediaUrl, thumbnailUrl, provenance, provenanceBasis } = post;
  const hasMedia = mediaType !== "text" && mediaType !== "link";
  const stored = useStoredDraft<PostChanges>(`edit.post.${id}`, {
    ...writtenText(post),
    url: url ?? "",
    alts: altsOf(post),
    contentWarning: post.contentWarning ?? "",
    sensitive: post.sensitive ?? false,
    productIds: [],
  });
  const { alts } = stored.value;
  const { save, isSaving, error } = useSavePost(post, stored.clear);
  const form = usePostForm(stored.value, error);
  const submit = () => {
    if (form.validate() && !isSaving) save(stored.value);
  };
  return (
    <PostEditor
      form={form}
      onSubmit={submit}
      notice={stored.isRestored && <RestoredDraft onClear={stored.clear} />}
      text={stored.value}
      onChange={stored.change}
      readOnly={isSaving}
      hasLink={!hasMedia}
      linkCard={stored.value.url === url ? card : null}
      media={
        hasMedia &&
        (mediaType === "image" && mediaUrl !== null ? (
          <StoredAltFields
            pictures={post.pictures ?? [{ url: mediaUrl, thumbnailUrl }]}
            alts={alts}
            onChange={(changed) => stored.change({ alts: changed })}
            errors={form.altMessages(alts)}
            readOnly={isSaving}
          />
        ) : (
          <>
            <PostMedia post={post} />
            <AltField
              alt={alts[0] ?? ""}
              onChange={(alt) => stored.change({ alts: [alt] })}
              error={form.altMessages(alts)[0] ?? null}
              readOnly={isSaving}
            />
          </>
        ))
      }
      products={{
        selected: stored.value.productIds,
        attached: post.products,
        onChange: (productIds) => stored.change({ productIds }),
      }}
      provenance={
        <FixedProvenance
          provenance={provenance}
          reason={t(provenanceBasis === "stamped" ? "composer.labelled.stamped" : "composer.labelled.posted")}
        />
      }
      status={<ErrorNotice error={error} />}
      actions={
        <>
          <ButtonLink to={postAddress(id)} variant="quiet" onClick={stored.clear}>
            {t("common.cancel")}
          </ButtonLink>
          <SubmitButton busy={isSaving}>{t("common.save")}</SubmitButton>
        </>
      }
    />
  );
}

/** Sends only the changed fields, then attaches the selected products. */
function useSavePost(post: Post, onSaved: () => void) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isStillOnPage = useStillOnPage();
  const { mutate, isPending, error } = useAction(
    async (api, { productIds, ...text }: PostChanges) => {
      const changes = changedFields(post, text);
      const { id } = post;
      let updated = post;
      if (Object.keys(changes).length > 0) ({ post: updated } = await api.editPost({ id, ...changes }));
      for (const productId of productIds) ({ post: updated } = await api.attachProduct({ id, productId }));
      return updated;
    },
    {
      inlineErrors: true,
      onSuccess: (updated) => {
        onSaved();
        changePost(queryClient, post.id, () => updated);
        show(t("composer.changesSaved"));
        if (isStillOnPage()) void navigate({ to: postAddress(post.id) });
      },
    },
  );
  return { save: mutate, isSaving: isPending, error };
}

function changedFields(post: Post, text: PostText) {
  const { contentWarning = null, sensitive = false } = post;
  const before: Record<string, unknown> = { ...post, contentWarning, sensitive };
  const changed = Object.entries(sentText(text)).filter(([name, value]) => value !== before[name]);
  const { length: count } = altsOf(post);
  const [was, now] = [altsOf(post), text.alts].map((alts) => sentAlts(alts, count));
  const isDescribedAnew = JSON.stringify(was) !== JSON.stringify(now);
  return {
    ...(Object.fromEntries(changed) as Partial<ReturnType<typeof sentText>>),
    ...(isDescribedAnew && now),
  };
}
