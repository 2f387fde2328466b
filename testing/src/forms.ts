/** A part of a form, as its bytes say it. */
export interface Part {
  name?: string;
  fileName?: string;
  type?: string;
  content?: string | Buffer;
}

export const boundary = "----tandem";
export const formType = { "content-type": `multipart/form-data; boundary=${boundary}` };

/** A form on the wire, in this order and with whatever is wrong in it; without its end, if asked for. */
export function formBytes(parts: Part[], { open = false } = {}): Buffer {
  return Buffer.concat([...parts.flatMap(partBytes), Buffer.from(open ? "" : `--${boundary}--\r\n`)]);
}

function partBytes({ name, fileName, type, content = "" }: Part): Buffer[] {
  const says = [
    "form-data",
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(fileName === undefined ? [] : [`filename="${fileName}"`]),
  ];
  const head = [
    `--${boundary}`,
    `Content-Disposition: ${says.join("; ")}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return [Buffer.from(`${head.join("\r\n")}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")];
}
