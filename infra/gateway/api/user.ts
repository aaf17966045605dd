const IN_PATH = /^\/api\/users\/([0-9a-f]{32})(?:\/|$)/;

/** Returns the user whose record a path names, to route the call to the replica that has this user. It is used for routing only. */
export function userInPath(path: string): string | undefined {
  return IN_PATH.exec(path)?.[1];
}
