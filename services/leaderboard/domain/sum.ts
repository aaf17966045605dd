/** An exact sum of many integers: in a number while that is exact, which is much cheaper than a bigint for each. */
export class Sum {
  #whole = 0n;
  #part = 0;

  /** @param integer safe, of either sign */
  add(integer: number): void {
    const part = this.#part + integer;
    if (Number.isSafeInteger(part)) this.#part = part;
    else {
      this.#whole += BigInt(this.#part) + BigInt(integer);
      this.#part = 0;
    }
  }

  get value(): bigint {
    return this.#whole + BigInt(this.#part);
  }
}
