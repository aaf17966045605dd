/** The line of the shell; all others are modules'. */
export const SHELL: string;

/** Where the files of a version lie. */
export function filesOf(name: string, version: string): string;
