import { useState } from "react";
import { type StoredDraft, useStoredDraft } from "../../data/draft-storage.ts";
import { useSearch } from "../../router/provider.tsx";
import { emptyDraft, isWritten, type PostDraft } from "./draft.ts";

/**
 * The unsent draft of a new post. The community and the quoted post that the address names, as `/compose?community=weaving&quote=42`,
 * become part of it with its author's first change, so an address alone leaves no draft behind.
 */
export function useNewPostDraft(): StoredDraft<PostDraft> {
  const { community, quote } = useSearch();
  const stored = useStoredDraft<PostDraft>("post", emptyDraft, isWritten);
  const address = JSON.stringify([community, quote]);
  const [taken, setTaken] = useState("");
  const asked = address === taken ? {} : askedBy(community, Number(quote));
  return {
    ...stored,
    value: { ...stored.value, ...asked },
    change(values) {
      stored.change({ ...asked, ...values });
      setTaken(address);
    },
    clear() {
      stored.clear();
      setTaken("");
    },
  };
}

function askedBy(community: string | undefined, quoteId: number): Partial<PostDraft> {
  return {
    ...(community && { community }),
    ...(Number.isSafeInteger(quoteId) && quoteId > 0 && { quoteId }),
  };
}
