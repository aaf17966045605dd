/** Texts that many share, each once, and its number: a column of numbers holds them. */
export class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  constructor() {
    // What nobody has written yet is 0 in a column.
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

  /** All of them, by their numbers. */
  all(): readonly string[] {
    return this.#texts;
  }
}
