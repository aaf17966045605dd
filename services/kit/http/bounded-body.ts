/** The body exceeds its limit; the rest of it is not read. */
export class BodyTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`the body is over ${bytesMax} bytes`);
  }
}

/**
 * Reads the whole body of a request or response, and rejects it as soon as it exceeds the limit.
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

/** The same for a response, as text. */
export async function boundedText(response: Response, bytesMax: number): Promise<string> {
  return (await boundedBytes(response.body ?? [], bytesMax)).toString('utf8');
}
