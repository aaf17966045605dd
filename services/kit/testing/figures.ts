/** The names of what a text of /metrics shows, in the order of the alphabet. */
export function namesShown(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name).sort();
}
