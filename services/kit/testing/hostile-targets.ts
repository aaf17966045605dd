import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * Request targets that no client of ours sends: some server or library reads each one as another address. They try
 * to reach `inside`, or another host.
 * @param inside a path that must not be reachable: `/metrics`
 * @param elsewhere host and port of another server
 */
export function hostileTargets(inside: string, elsewhere: string): string[] {
  const call = '/api/leaderboard/users';
  return [
    // Another authority.
    `http://${elsewhere}/api/stats`,
    `https://${elsewhere}/api/stats`,
    `HTTP://${elsewhere}/api/stats`,
    `http://x@${elsewhere}/api/stats`,
    `http://localhost@${elsewhere}/api/stats`,
    `http://${elsewhere}`,
    `http:${elsewhere}/api/stats`,
    `//${elsewhere}/api/stats`,
    `///${elsewhere}/api/stats`,
    `/\\${elsewhere}/api/stats`,
    `\\\\${elsewhere}/api/stats`,
    `/%2f${elsewhere}/api/stats`,
    `/%5c${elsewhere}/api/stats`,
    // Unparsable authorities.
    'http://[::1/api/stats',
    'http://[x]/api/stats',
    'http://%zz/api/stats',
    // No path.
    '*',
    'api/stats',
    '?x=/api/stats',
    'data:/api/stats',
    // Dot segments, plain and encoded.
    `${call}/../../..${inside}`,
    `${call}/.`,
    `${call}/./x`,
    `${call}/%2e%2e/%2e%2e/%2e%2e${inside}`,
    `${call}/.%2e/%2E./..${inside}`,
    `${call}/..%2f..%2f..${inside}`,
    `${call}/%2e%2e%2f%2e%2e%2f%2e%2e${inside}`,
    `${call}/%252e%252e/%252e%252e/%252e%252e${inside}`,
    `${call}/%25zz%252e%252e/..;/x`,
    `${call}/..;/..;/..;${inside}`,
    `${call}/%c0%ae%c0%ae/x`,
    // Backslashes, plain and encoded.
    `${call}/..\\..\\..${inside.replace('/', '\\')}`,
    `${call}\\x`,
    `${call}/..%5c..%5c..%5c${inside.slice(1)}`,
    `${call}/%2e%2e%5c%2e%2e%5c%2e%2e%5c${inside.slice(1)}`,
    `${call}/..%255c..%255c..%255c${inside.slice(1)}`,
    // Control characters, fragments, bytes beyond ASCII, broken encodings.
    `${call}/%00${inside}`,
    `${call}/x%0d%0aHost:%20${elsewhere}`,
    `${call}/x%2500`,
    `${call}/x#${inside}`,
    `${call}/caf\u00e9`,
    `${call}/%`,
    `${call}/%zz`,
  ];
}

interface RawAnswer {
  /** 0 when the connection ended without a response. */
  status: number;
  text: string;
}

/** Sends one request with exactly this target over a raw socket, because HTTP clients rewrite targets. */
export function requestRaw(
  url: string,
  target: string,
  { host, method = 'GET', body = '' }: { host?: string; method?: string; body?: string } = {},
): Promise<RawAnswer> {
  const { protocol, hostname, port, host: own } = new URL(url);
  const at = { host: hostname, port: Number(port) };
  const headers = [`Host: ${host ?? own}`, 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${target} HTTP/1.1`, ...headers, '', body].join('\r\n');
  return new Promise((resolve) => {
    let text = '';
    const socket = protocol === 'https:' ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }));
    socket.write(head, 'latin1');
  });
}
