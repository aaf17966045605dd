/** Converts a value to plain JSON for data exports: bigint becomes a decimal string, undefined fields are dropped. */
export function plainJson(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? each.toString() : each)));
}

/** Returns the first documents, as plain JSON, that fit in a size together. @param bytesMax of their JSON */
export async function takeWithinSize<D extends object>(
  bytesMax: number,
  documents: AsyncIterable<D> | Iterable<D>,
): Promise<object[]> {
  const taken: object[] = [];
  let bytes = 0;
  for await (const document of documents) {
    const plain = plainJson(document);
    bytes += Buffer.byteLength(JSON.stringify(plain)) + 1;
    if (bytes > bytesMax) break;
    taken.push(plain);
  }
  return taken;
}
