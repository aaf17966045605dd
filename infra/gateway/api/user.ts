const IN_PATH = /^\/api\/users\/([0-9a-f]{32})(?:\/|$)/;

/** Whose record a path names, so that the call goes to the replica that has this user. It decides nothing but the way. */
export function userInPath(path: string): string | undefined {
  return IN_PATH.exec(path)?.[1];
}
