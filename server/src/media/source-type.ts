/** IPTC's words for how a picture was made, as files carry them in XMP. */
export type SourceType = "trainedAlgorithmicMedia" | "compositeWithTrainedAlgorithmicMedia";

const CODES = "http://cv.iptc.org/newscodes/digitalsourcetype/";

/** XMP that says this and nothing else. */
export function xmpOf(type: SourceType): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
   <Iptc4xmpExt:DigitalSourceType>${CODES}${type}</Iptc4xmpExt:DigitalSourceType>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`;
}

/** What a sender's XMP says, if it says that AI had a part. It isn't taken off, whatever the sender says now. */
export function sourceTypeIn(xmp: string | undefined): SourceType | null {
  const [, type] = /\/digitalsourcetype\/(\w+)/.exec(xmp ?? "") ?? [];
  if (type === "trainedAlgorithmicMedia" || type === "compositeWithTrainedAlgorithmicMedia") return type;
  return null;
}
