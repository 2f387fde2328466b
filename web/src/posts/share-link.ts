import type { Translate } from "../i18n/use-text.tsx";
import { copyToClipboard } from "../ui/clipboard.ts";

interface Feedback {
  t: Translate;
  show(text: string): void;
  showError(text: string): void;
}

/** What leads to a post, or to a comment. */
interface SharedLink {
  link: string;
  title?: string | null;
}

/** Puts a link into the clipboard, and tells so; where that can't be, shows it to be copied by hand. */
export async function copyLink({ link }: SharedLink, { t, show, showError }: Feedback): Promise<void> {
  if (await copyToClipboard(link)) show(t("card.copied"));
  else showError(t("card.copyFailed", { link }));
}

/** Has the device share a link, where it has a way to. */
export async function shareLink(target: SharedLink, feedback: Feedback): Promise<void> {
  if (!("share" in navigator)) return copyLink(target, feedback);
  const { link, title } = target;
  // Whoever changes their mind has shared nothing, and needn't be told.
  await navigator.share({ url: link, ...(title && { title }) }).catch(() => {});
}
