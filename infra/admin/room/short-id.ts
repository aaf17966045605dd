/** As much of a long id as distinguishes it on a page. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** The address of an account in the room. */
export const accountHref = (userId: string) => `?${new URLSearchParams({ tab: 'admin', view: 'users', user: userId })}`;
