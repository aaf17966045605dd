import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { testCertificate } from './certificate.js';
import { freePort } from './process.js';

/** A push received by a browser's push service, decrypted with the browser's own keys. */
interface Got {
  /** Claims of the token, whose signature was verified with `key`. */
  claims: { aud: string; exp: number; sub: string };
  /** The sender's public key, base64url. */
  key: string;
  headers: IncomingMessage['headers'];
  /** Data for the browser's service worker. */
  data: Record<string, unknown>;
}

/** A browser that receives pushes, as its `pushManager` shows it. */
export interface PushedBrowser {
  subscription: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } };
  /** Received pushes, oldest first. */
  got: Got[];
  /** Response of the push service from now on. */
  answer: { status: number; headers?: Record<string, string> };
}

export type TestPushService = Awaited<ReturnType<typeof startPushService>>;

/** Address of a test's push service, known before it starts. */
export interface PushPlace {
  port: number;
  /** `localhost:PORT`, for PUSH_HOSTS. */
  host: string;
  /** Its self-signed certificate, for NODE_EXTRA_CA_CERTS. */
  caFile: string;
  keyFile: string;
}

/** Creates a certificate and finds a free port. @returns also a function that deletes the files */
export async function pushPlace(): Promise<PushPlace & { remove(): Promise<void> }> {
  const { certFile, keyFile, remove } = await testCertificate();
  const port = await freePort();
  return { port, host: `localhost:${port}`, caFile: certFile, keyFile, remove };
}

/**
 * Starts a local push service over TLS: it accepts correctly signed (RFC 8292) and encrypted (RFC 8291) pushes, and decrypts them with
 * node:crypto alone, so that it shares no code with the sender.
 */
export async function startPushService({ port, host, caFile, keyFile }: PushPlace) {
  const [cert, key] = await Promise.all([readFile(caFile, 'utf8'), readFile(keyFile, 'utf8')]);
  const browsers = new Map<string, Taker>();
  const server = createServer({ cert, key }, async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { status, headers } = taken(browsers.get(request.url ?? ''), request.headers, Buffer.concat(pieces));
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    host,
    /** Its certificate authority. */
    ca: cert,
    browser() {
      const path = `/push/${randomBytes(16).toString('hex')}`;
      const pair = createECDH('prime256v1');
      const secret = { pair, publicKey: pair.generateKeys(), auth: randomBytes(16) };
      const keys = { p256dh: secret.publicKey.toString('base64url'), auth: secret.auth.toString('base64url') };
      const subscription = { endpoint: `https://${host}${path}`, expirationTime: null, keys };
      const browser: PushedBrowser = { subscription, got: [], answer: { status: 201 } };
      browsers.set(path, (headers, body) => {
        if (browser.answer.status < 300)
          browser.got.push({ ...signer(headers.authorization), headers, data: opened(body, secret) });
        return browser.answer;
      });
      return browser;
    },
    stop: () => closed(server),
  };
}

type Taker = (headers: IncomingMessage['headers'], body: Buffer) => PushedBrowser['answer'];

/** Rejects wrong signatures or encryption, like every push service. */
function taken(take: Taker | undefined, headers: IncomingMessage['headers'], body: Buffer): PushedBrowser['answer'] {
  try {
    return take?.(headers, body) ?? { status: 404 };
  } catch {
    return { status: 403 };
  }
}

/** @throws Error for a token that its key has not signed */
function signer(authorization = ''): Pick<Got, 'claims' | 'key'> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const parsed = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' } as never);
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (parsed(head).alg !== 'ES256' || !isSigned) throw new Error('the token is not signed by its key');
  return { claims: parsed(claims), key };
}

/** Decrypts a push (RFC 8291): one record of aes128gcm. */
function opened(
  body: Buffer,
  { pair, publicKey, auth }: { pair: ReturnType<typeof createECDH>; publicKey: Buffer; auth: Buffer },
) {
  const [salt, senders, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const derive = (secret: Buffer, by: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senders]);
  const key = derive(pair.computeSecret(senders), auth, info, 32);
  const cek = derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', cek, nonce).setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')) as Record<string, unknown>;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
