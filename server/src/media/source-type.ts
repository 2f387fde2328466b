/** IPTC's Digital Source Type in XMP: how a picture was made. */
import {
  type AiProvenance,
  digitalSourceTypes,
  provenanceOfSourceType,
  sourceTypeVocabulary,
} from "@tandem/contract/digital-source-types";

/** The codes that mark our files. */
export type SourceType = (typeof digitalSourceTypes)[AiProvenance];

const IPTC = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";

/** XMP with only this source type. */
export function xmpOf(type: SourceType): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:Iptc4xmpExt="${IPTC}">
   <Iptc4xmpExt:DigitalSourceType>${sourceTypeVocabulary}${type}</Iptc4xmpExt:DigitalSourceType>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
}

/** The stronger of two marks. */
export function strongest(one: SourceType | null, other: SourceType | null): SourceType | null {
  return one === "trainedAlgorithmicMedia" ? one : (other ?? one);
}

/** The strongest AI source type in XMP; null if there is none. */
export function sourceTypeIn(xmp: string | undefined): SourceType | null {
  let found: SourceType | null = null;
  for (const [type] of (xmp ?? "").matchAll(
    /https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/\w{1,60}/gi,
  )) {
    const stated = provenanceOfSourceType(type);
    found = strongest(found, stated && digitalSourceTypes[stated]);
  }
  return found;
}

const everything = /./;

/** XMP namespaces and properties that can't reveal a place or a device. */
const vocabularies: ReadonlyMap<string, RegExp> = new Map([
  ["adobe:ns:meta/", everything],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", everything],
  ["http://purl.org/dc/terms/", /^provenance$/],
  ["http://ns.adobe.com/xap/1.0/", /^(?:CreateDate|MetadataDate|ModifyDate|CreatorTool)$/],
  ["http://ns.adobe.com/xap/1.0/mm/", /^(?:DocumentID|InstanceID|OriginalDocumentID)$/],
  [IPTC, /^(?:DigitalSourceType|AISystemUsed|AISystemVersionUsed)$/],
]);

/** Whether XMP has only such properties. XMP that can't be parsed plainly isn't harmless. */
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
