const COOKIE = 'cord_auth_error';
const LENGTH_MAX = 200;

/**
 * Discord's own words about a refusal, and gone once read (interface.md, Signing in). The cookie is `<encoded text>.<signature>`;
 * the signature is the server's business, the page shows the words as plain text.
 */
export function takeErrorDescription(page: Pick<Document, 'cookie'>): string | null {
  const pair = page.cookie.split('; ').find((each) => each.startsWith(`${COOKIE}=`));
  if (pair === undefined) return null;
  page.cookie = `${COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`;
  const value = pair.slice(COOKIE.length + 1);
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
