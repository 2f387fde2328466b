import type { Draft } from "@tandem/contract/drafts";
import { useMe } from "../../data/me.ts";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";

/** How what a draft publishes or changes will be labelled. Nothing if that is undeclared, or the draft adds nothing. */
export function DraftLabel({ draft: { provenance, provenanceBasis, author } }: { draft: Draft }) {
  const me = useMe();
  return (
    provenance &&
    provenanceBasis && (
      <ProvenanceBadge
        provenance={provenance}
        provenanceBasis={provenanceBasis}
        authorIsAgent={author !== me?.username}
      />
    )
  );
}
