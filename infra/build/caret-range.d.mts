export function inCaretRange(version: string, range: string): boolean;
