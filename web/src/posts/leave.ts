import { postAddress } from "../addresses.ts";
import type { Translate } from "../i18n/use-text.tsx";

interface Words {
  t: Translate;
  tell(text: string): void;
  fail(text: string): void;
}

interface Shared {
  id: number;
  title: string | null;
}

/** Puts a post's link into the clipboard, and tells so. */
export async function copy({ id }: Shared, baseUrl: string, { t, tell, fail }: Words): Promise<void> {
  const link = baseUrl + postAddress(id);
  try {
    await navigator.clipboard.writeText(link);
    tell(t("card.copied"));
  } catch {
    fail(t("card.copyFailed", { link }));
  }
}

/** Has the device share a post's link, where it has a way to. */
export async function share(post: Shared, baseUrl: string, words: Words): Promise<void> {
  if (!("share" in navigator)) return copy(post, baseUrl, words);
  const { id, title } = post;
  // Whoever changes their mind has shared nothing, and needn't be told.
  await navigator.share({ url: baseUrl + postAddress(id), ...(title && { title }) }).catch(() => {});
}
