/** A body that is over its bound; the rest of it is not read. */
export class BodyTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the body is over ${bytesMax} bytes`);
  }
}

/**
 * The whole body of a request or an answer, refused while it arrives once it is over its bound.
 * @throws BodyTooLarge, and whatever ends the stream
 */
export async function boundedBytes(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > bytesMax) throw new BodyTooLarge(bytesMax);
    read.push(part);
  }
  return Buffer.concat(read, length);
}

/** The same of an answer, as text. */
export async function boundedText(response: Response, bytesMax: number): Promise<string> {
  return (await boundedBytes(response.body ?? [], bytesMax)).toString('utf8');
}
