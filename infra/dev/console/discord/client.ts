/** auth's client id at the stand-in; its secret is DISCORD_CLIENT_SECRET. */
export const LOCAL_CLIENT_ID = 'cord-local';

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether the stand-in accepts a redirect: any address of the site, and of this machine for your own clients. */
export function isRegisteredRedirect(redirectUri: string, publicOrigin: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname, origin } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return origin === publicOrigin || LOOPBACK_HOST.test(hostname);
}
