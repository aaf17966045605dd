const COOKIE = 'cord_auth_error';
const LENGTH_MAX = 200;

/** The used part of the document. */
interface Page {
  cookie: string;
  location: Pick<Location, 'protocol'>;
}

/**
 * Reads and deletes Discord's text about a refusal (services/auth/README.md#a-sign-in). The cookie is `<encoded
 * text>.<signature>`; only the server checks the signature, and the page shows plain text.
 */
export function takeErrorDescription(page: Page): string | null {
  const secure = page.location.protocol === 'https:';
  const name = secure ? `__Host-${COOKIE}` : COOKIE;
  const pair = page.cookie.split('; ').find((each) => each.startsWith(`${name}=`));
  if (pair === undefined) return null;
  page.cookie = `${name}=; Max-Age=0; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`;
  const value = pair.slice(name.length + 1);
  const encoded = value.slice(0, value.lastIndexOf('.'));
  return decode(encoded)?.slice(0, LENGTH_MAX) || null;
}

function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
