/** "Epoch Beta", whether or not the name says so itself. */
export function epochName(name: string): string {
  return /^epoch\b/i.test(name) ? name : `Epoch ${name}`;
}
