import type { Translate } from "../i18n/use-text.tsx";
import { toClipboard } from "../ui/clipboard.ts";

interface Words {
  t: Translate;
  show(text: string): void;
  showError(text: string): void;
}

/** What leads to a post, or to a comment. */
interface Way {
  link: string;
  title?: string | null;
}

/** Puts a link into the clipboard, and tells so; where that can't be, shows it to be copied by hand. */
export async function copy({ link }: Way, { t, show, showError }: Words): Promise<void> {
  if (await toClipboard(link)) show(t("card.copied"));
  else showError(t("card.copyFailed", { link }));
}

/** Has the device share a link, where it has a way to. */
export async function share(way: Way, words: Words): Promise<void> {
  if (!("share" in navigator)) return copy(way, words);
  const { link, title } = way;
  // Whoever changes their mind has shared nothing, and needn't be told.
  await navigator.share({ url: link, ...(title && { title }) }).catch(() => {});
}
