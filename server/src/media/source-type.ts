/** IPTC's words for how a picture was made, as files carry them in XMP. */
export type SourceType = "trainedAlgorithmicMedia" | "compositeWithTrainedAlgorithmicMedia";

const IPTC = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";
const CODES = "http://cv.iptc.org/newscodes/digitalsourcetype/";

/** XMP that says this and nothing else. */
export function xmpOf(type: SourceType): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:Iptc4xmpExt="${IPTC}">
   <Iptc4xmpExt:DigitalSourceType>${CODES}${type}</Iptc4xmpExt:DigitalSourceType>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
}

/** What files say of a picture that says one thing itself, and of which another is asked: never less than either. */
export function strongest(asked: SourceType | null, own: SourceType | null): SourceType | null {
  return own === "trainedAlgorithmicMedia" ? own : (asked ?? own);
}

/** What a sender's XMP says, if it says that AI had a part. It isn't taken off, whatever the sender says now. */
export function sourceTypeIn(xmp: string | undefined): SourceType | null {
  const [, type] = /\/digitalsourcetype\/(\w+)/.exec(xmp ?? "") ?? [];
  if (type === "trainedAlgorithmicMedia" || type === "compositeWithTrainedAlgorithmicMedia") return type;
  return null;
}

const everything = /./;

/** What XMP may speak of without a word about a place or a device: vocabularies, and which of their words. */
const vocabularies: ReadonlyMap<string, RegExp> = new Map([
  ["adobe:ns:meta/", everything],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", everything],
  ["http://purl.org/dc/terms/", /^provenance$/],
  ["http://ns.adobe.com/xap/1.0/", /^(?:CreateDate|MetadataDate|ModifyDate|CreatorTool)$/],
  ["http://ns.adobe.com/xap/1.0/mm/", /^(?:DocumentID|InstanceID|OriginalDocumentID)$/],
  [IPTC, /^(?:DigitalSourceType|AISystemUsed|AISystemVersionUsed)$/],
]);

/** Whether XMP speaks of nothing but that. What isn't plainly readable doesn't count as harmless. */
export function isHarmlessXmp(bytes: Buffer): boolean {
  const xmp = bytes.toString("utf8");
  if (/[\0\uFFFD]|<!|encoding/.test(xmp)) return false;
  const spaces = new Map<string | undefined, string | undefined>();
  for (const [, prefix, one, other] of xmp.matchAll(
    /\bxmlns(?::([\w.-]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (prefix === undefined || spaces.has(prefix)) return false;
    spaces.set(prefix, one ?? other);
  }
  const names = [...xmp.matchAll(/[<\s/]([\w.-]+):([\w.-]+)(?=[\s=/>])/g)];
  return names.every(([, prefix, name = ""]) => {
    if (prefix === "xmlns" || prefix === "xml") return true;
    return vocabularies.get(spaces.get(prefix) ?? "")?.test(name) ?? false;
  });
}
