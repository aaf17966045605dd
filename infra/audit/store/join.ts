/** A sorted stream whose next document can be looked at. */
export class Peeked<D> {
  #next: D | null = null;
  #ended = false;
  readonly #iterator: AsyncIterator<D>;

  /** @param keyOf of a document; the stream is in descending order of it */
  constructor(
    documents: AsyncIterable<D>,
    readonly keyOf: (document: D) => string,
  ) {
    this.#iterator = documents[Symbol.asyncIterator]();
  }

  /** The next document; null at the end. */
  async peek(): Promise<D | null> {
    if (this.#next === null && !this.#ended) {
      const { value, done } = await this.#iterator.next();
      if (done) this.#ended = true;
      else this.#next = value;
    }
    return this.#next;
  }

  /** Its key; null at the end. */
  async key(): Promise<string | null> {
    const next = await this.peek();
    return next === null ? null : this.keyOf(next);
  }

  /** The next document if it has this key. */
  async take(key: string): Promise<D | null> {
    const next = await this.peek();
    if (next === null || this.keyOf(next) !== key) return null;
    this.#next = null;
    return next;
  }

  /** All documents of this key, one at a time. */
  async *all(key: string): AsyncGenerator<D> {
    for (let next = await this.take(key); next !== null; next = await this.take(key)) yield next;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}
