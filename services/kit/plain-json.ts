/** A value as plain JSON: amounts (bigint) become decimal strings, absent fields go. For data exports. */
export function plainJson(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? each.toString() : each)));
}

/** As many of the first documents as are no larger together, as plain JSON. @param bytesMax of their JSON */
export async function firstWithin<D extends object>(
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
