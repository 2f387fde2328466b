/** What pictures' files are made of, as far as we look inside ourselves. */

/** JPEG's segments up to the picture's own data. */
export function segmentsOf(jpeg: Buffer): Buffer[] {
  const found = [];
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; ) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    found.push(jpeg.subarray(at, end));
    at = end;
  }
  return found;
}

const forms = {
  png: { first: 8, length: 0, type: 4, around: 12, even: false },
  webp: { first: 12, length: 4, type: 0, around: 8, even: true },
};

/** The types of the chunks of a PNG or WebP, in their order. */
export function chunksOf(type: keyof typeof forms, bytes: Buffer): string[] {
  const form = forms[type];
  const found = [];
  for (let at = form.first; at + 8 <= bytes.length; ) {
    const place = at + form.length;
    const length = type === "png" ? bytes.readUInt32BE(place) : bytes.readUInt32LE(place);
    found.push(bytes.toString("latin1", at + form.type, at + form.type + 4));
    at += length + form.around + (form.even ? length % 2 : 0);
  }
  return found;
}
