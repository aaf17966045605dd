let textOf: (method: string, path: string) => string | null = () => null;

/** The specification's texts for failed calls have come, with the app behind the sign-in: the landing page shows none of them. */
export function bringCallTexts(of: typeof textOf): void {
  textOf = of;
}

/** What is said of a failed call, by method and path of its endpoint; null where there is nothing of its own. */
export function callText(method: string, path: string): string | null {
  return textOf(method, path);
}
