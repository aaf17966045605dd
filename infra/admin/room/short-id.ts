/** A long id shortened to what distinguishes it on a page. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** The URL of an account in the room. */
export const accountHref = (userId: string) => `?${new URLSearchParams({ tab: 'admin', view: 'users', user: userId })}`;
