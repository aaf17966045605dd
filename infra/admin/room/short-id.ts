/** As much of a long id as distinguishes it on a page. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}
