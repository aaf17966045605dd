/** Stores each shared text once, with a number that a numeric column can hold. */
export class TextTable {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  constructor() {
    // Unwritten values of a column are 0.
    this.numberOf('');
  }

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number] ?? '';
  }

  /** Returns all texts, by number. */
  all(): readonly string[] {
    return this.#texts;
  }
}
