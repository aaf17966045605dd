/** A sorted stream with lookahead of one document. */
export class Peeked<D> {
  #next: D | null = null;
  #ended = false;
  readonly #iterator: AsyncIterator<D>;

  /** @param keyOf key of a document; the stream is sorted by it in descending order */
  constructor(
    documents: AsyncIterable<D>,
    readonly keyOf: (document: D) => string,
  ) {
    this.#iterator = documents[Symbol.asyncIterator]();
  }

  /** Returns the next document without consuming it; null at the end. */
  async peek(): Promise<D | null> {
    if (this.#next === null && !this.#ended) {
      const { value, done } = await this.#iterator.next();
      if (done) this.#ended = true;
      else this.#next = value;
    }
    return this.#next;
  }

  /** Returns the next document's key; null at the end. */
  async key(): Promise<string | null> {
    const next = await this.peek();
    return next === null ? null : this.keyOf(next);
  }

  /** Consumes the next document if it has this key. */
  async take(key: string): Promise<D | null> {
    const next = await this.peek();
    if (next === null || this.keyOf(next) !== key) return null;
    this.#next = null;
    return next;
  }

  /** Consumes all documents with this key, one at a time. */
  async *all(key: string): AsyncGenerator<D> {
    for (let next = await this.take(key); next !== null; next = await this.take(key)) yield next;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}
