import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Problem } from '../problem.js';

/** Visible ASCII after a slash, without a fragment. */
const ABSOLUTE_PATH = /^\/[\x21\x22\x24-\x7e]*$/;
/**
 * Never in a plain path: two leading slashes, a backslash, a control character, or a dot segment, also with a `;` parameter as
 * some servers parse it.
 */
const NOT_PLAIN = /^\/\/|[^\x20-\x5b\x5d-\x7e\x80-\xff]|(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/;
/** Maximum layers of percent-encoding in a path: each round reads it whole, and no caller of ours encodes more than twice. */
export const DECODINGS_MAX = 4;

/**
 * Whether a request target is a plain absolute path with its query: no scheme, authority, backslash, control character or dot segment, nor
 * any of these percent-encoded, at most DECODINGS_MAX times. No two parsers read such a path differently.
 * @param target as in the request line
 */
export function isPlainTarget(target: string): boolean {
  if (!ABSOLUTE_PATH.test(target)) return false;
  const [path = ''] = target.split('?', 1);
  return isDecodable(path) && isPlainDecoded(path);
}

/** Whether a path is plain as given and after each decoding until nothing changes; byte by byte, which suffices for ASCII. */
function isPlainDecoded(path: string): boolean {
  let last = path;
  for (let round = 0; round <= DECODINGS_MAX; round += 1) {
    if (NOT_PLAIN.test(last)) return false;
    const next = last.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === last) return true;
    last = next;
  }
  return false;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Responds 400 to a request without a plain target before anything else reads it; passes all others to the listener. */
export function plainTargetsOnly(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (isPlainTarget(request.url ?? '')) return listener(request, response);
    refuseTarget(request, response);
  };
}

function refuseTarget(request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const problem = new Problem(400, 'bad-target', 'The address must be a plain path');
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(problem.toDetails(requestId)));
}
