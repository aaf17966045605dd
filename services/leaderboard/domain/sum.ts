/** An exact sum of many integers: kept in a number while exact, which is much cheaper than bigint additions. */
export class Sum {
  #whole = 0n;
  #part = 0;

  /** @param integer a safe integer of either sign */
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
