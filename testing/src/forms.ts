/** A part of a multipart form, valid or not. */
export interface Part {
  name?: string;
  fileName?: string;
  type?: string;
  content?: string | Buffer;
}

export const boundary = "----tandem";
export const formType = { "content-type": `multipart/form-data; boundary=${boundary}` };

/** The bytes of a form, with parts in this order and unchecked. With `open`, the closing boundary is missing. */
export function formBytes(parts: Part[], { open = false } = {}): Buffer {
  return Buffer.concat([...parts.flatMap(partBytes), Buffer.from(open ? "" : `--${boundary}--\r\n`)]);
}

function partBytes({ name, fileName, type, content = "" }: Part): Buffer[] {
  const disposition = [
    "form-data",
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(fileName === undefined ? [] : [`filename="${fileName}"`]),
  ];
  const head = [
    `--${boundary}`,
    `Content-Disposition: ${disposition.join("; ")}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return [Buffer.from(`${head.join("\r\n")}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")];
}
