import type { LinkCard, ProductCard } from "@tandem/contract/post-resources";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { useMe } from "../../data/me.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { LinkPart } from "./link-part.tsx";
import { PollPart } from "./poll-part.tsx";
import { emptyPoll } from "./poll-text.ts";
import { PostForm, type usePostForm } from "./post-form.tsx";
import { ProductsField } from "./products-field.tsx";
import { TextFields, type TextFieldsProps } from "./text-fields.tsx";
import { Toolbar, type Tools } from "./toolbar.tsx";
import { useKeyboardHeight } from "./use-keyboard-height.ts";
import { WarningPart } from "./warning-part.tsx";

interface Props
  extends Omit<TextFieldsProps, "messageFor">,
    Pick<
      ComponentProps<typeof PostForm>,
      "onSubmit" | "className" | "onDragOver" | "onDragLeave" | "onDrop" | "onPaste"
    > {
  form: ReturnType<typeof usePostForm>;
  /** The account that the post is published as, unless it is the reader's. */
  author?: Pick<ComponentProps<typeof Avatar>, "name" | "src" | "isAgent">;
  /** Shown above the text. */
  notice?: ReactNode;
  /** The post's pictures or video. */
  media?: ReactNode;
  /** The post that it quotes. */
  quote?: ReactNode;
  /** Of a new post, whether others can quote it; of a draft, all that the form can't change. */
  settings?: ReactNode;
  /** Adds pictures, or a video. */
  onFiles?: Tools["onFiles"];
  /** Whether the post can get a poll. */
  takesPoll?: boolean;
  /** Whether the post can have a link. */
  hasLink?: boolean;
  /** The preview of the post's link, if known; false to show none, because a picture or video is shown instead. */
  linkCard?: LinkCard | null | false;
  products?: {
    selected: readonly number[];
    attached?: readonly ProductCard[];
    onChange(ids: number[]): void;
  };
  /** The choice of a community. */
  community?: ReactNode;
  /** How much AI was involved. */
  provenance: ReactNode;
  onSchedule?: Tools["onSchedule"];
  /** Shown above the buttons, which are always in view: progress, and why it couldn't be sent. */
  status?: ReactNode;
  /** The buttons that save or publish. */
  actions: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}

/** The form for a post: a new one, a draft or an edit. Its buttons stay in view however long the text is. */
export function PostEditor({
  form,
  text,
  onChange,
  readOnly = false,
  author,
  notice,
  media,
  quote,
  settings,
  onFiles,
  takesPoll = false,
  hasLink = true,
  linkCard = null,
  products,
  community,
  provenance,
  onSchedule,
  status,
  actions,
  children,
  ...formProps
}: Props) {
  const [isLinkOpen, setLinkOpen] = useState(false);
  const [areProductsOpen, setProductsOpen] = useState(false);
  const [isWarningOpen, setWarningOpen] = useState(false);
  const [wasPollAdded, setPollAdded] = useState(false);
  useKeyboardHeight();
  const linkField = useRef<HTMLInputElement>(null);
  // The field of a link that is there stays, or it would be posted unseen.
  const isFieldNeeded = text.url !== "" || form.messageFor("url") !== null;
  const toggleLink = () => (isFieldNeeded ? linkField.current?.focus() : setLinkOpen(!isLinkOpen));
  const showsLink = isLinkOpen || isFieldNeeded;
  // As with a link, a warning that is there stays in view.
  const isWarned = text.contentWarning !== "" || text.sensitive;
  const warningField = useRef<HTMLInputElement>(null);
  const toggleWarning = () => (isWarned ? warningField.current?.focus() : setWarningOpen(!isWarningOpen));
  const removePoll = () => onChange({ poll: null });
  const togglePoll = () => {
    setPollAdded(true);
    onChange({ poll: text.poll ? null : emptyPoll(Date.now()) });
  };
  return (
    <PostForm ref={form.ref} {...formProps}>
      <div className="flex flex-col gap-4 p-4 sm:p-5">
        {notice}
        <div className="flex gap-3">
          <AuthorAvatar author={author} />
          <TextFields text={text} onChange={onChange} messageFor={form.messageFor} readOnly={readOnly} />
        </div>
        {media}
        {hasLink && showsLink && (
          <Panel isNew={isLinkOpen}>
            <LinkPart
              ref={linkField}
              url={text.url}
              onChange={(url) => onChange({ url })}
              onRemove={() => {
                onChange({ url: "" });
                setLinkOpen(false);
              }}
              card={linkCard}
              readOnly={readOnly}
              error={form.messageFor("url")}
            />
          </Panel>
        )}
        {(isWarningOpen || isWarned) && (
          <Panel isNew={isWarningOpen}>
            <WarningPart
              ref={warningField}
              text={text}
              onChange={onChange}
              onRemove={() => {
                onChange({ contentWarning: "", sensitive: false });
                setWarningOpen(false);
              }}
              readOnly={readOnly}
              error={form.messageFor("contentWarning")}
            />
          </Panel>
        )}
        {text.poll && (
          <Panel isNew={wasPollAdded}>
            <PollPart
              poll={text.poll}
              onChange={(poll) => onChange({ poll })}
              onRemove={removePoll}
              readOnly={readOnly}
              error={form.messageFor("poll")}
            />
          </Panel>
        )}
        {products && areProductsOpen && (
          <Panel isNew>
            <div className="rounded-xl border p-3">
              <ProductsField {...products} />
            </div>
          </Panel>
        )}
        {quote}
        {community}
        {provenance}
        {settings}
      </div>
      <div className="sticky bottom-[max(var(--tab-bar),var(--keyboard,0px))] z-10 flex flex-col gap-3 rounded-b-card border-t bg-surface px-4 py-2.5 max-sm:rounded-none sm:px-5">
        {status}
        <div className="flex flex-wrap items-center gap-y-1 sm:gap-x-2">
          <Toolbar
            onFiles={onFiles}
            link={hasLink ? { open: showsLink, onToggle: toggleLink } : undefined}
            products={
              products && {
                open: areProductsOpen,
                onToggle: () => setProductsOpen(!areProductsOpen),
                count: products.selected.length + (products.attached?.length ?? 0),
              }
            }
            warning={{ open: isWarningOpen || isWarned, onToggle: toggleWarning }}
            poll={takesPoll ? { open: Boolean(text.poll), onToggle: togglePoll } : undefined}
            onSchedule={onSchedule}
          />
          <div className="ms-auto flex items-center sm:gap-2">{actions}</div>
        </div>
      </div>
      {children}
    </PostForm>
  );
}

function AuthorAvatar({ author }: Pick<Props, "author">) {
  const me = useMe();
  const own = me && {
    name: me.displayName ?? me.username,
    src: me.avatarUrl,
    isAgent: me.role === "agent",
  };
  const shown = author ?? own;
  return (
    shown && (
      <span className="max-sm:hidden">
        <Avatar {...shown} />
      </span>
    )
  );
}

/** A part of the form that a tool opens. It comes into view, and its field, if it has one, takes the focus. */
function Panel({ isNew, children }: { isNew: boolean; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  const wasNew = useRef(isNew);
  useEffect(() => {
    if (!wasNew.current) return;
    panel.current?.scrollIntoView({ block: "nearest" });
    panel.current?.querySelector("input")?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={panel} className="scroll-mt-20 scroll-mb-40">
      {children}
    </div>
  );
}
