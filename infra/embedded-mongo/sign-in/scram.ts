import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ERROR_CODES, MongoError } from '../errors.js';

/* SCRAM-SHA-256 of RFC 5802 and RFC 7677, without channel binding: the server's side of one conversation. */

/** The stored credentials of a password. They are not enough to sign in. */
export interface Credentials {
  user: string;
  salt: Buffer;
  iterations: number;
  storedKey: Buffer;
  serverKey: Buffer;
}

/** MongoDB's number of rounds for this mechanism. */
const ITERATIONS = 15_000;
const KEY_BYTES = 32;
const SALT_BYTES = 28;
const NONCE_BYTES = 24;

/** Derives credentials with a new salt, so that they differ between servers. */
export async function deriveCredentials(user: string, password: string): Promise<Credentials> {
  const salt = randomBytes(SALT_BYTES);
  const salted = await promisify(pbkdf2)(password.normalize('NFKC'), salt, ITERATIONS, KEY_BYTES, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  return { user, salt, iterations: ITERATIONS, storedKey: hash(clientKey), serverKey: hmac(salted, 'Server Key') };
}

/**
 * Credentials for an unknown name, so that its challenge looks like that of a known one: the same salt each time, and no valid password.
 * @param secret secret of this server, at least 32 random bytes
 */
export function decoyCredentials(user: string, secret: Buffer): Credentials {
  const salt = createHmac('sha256', secret).update(user).digest().subarray(0, SALT_BYTES);
  return { user, salt, iterations: ITERATIONS, storedKey: randomBytes(KEY_BYTES), serverKey: randomBytes(KEY_BYTES) };
}

/** One sign-in, from the client's first message on. Every refusal is the same MongoError 18, whatever the reason. */
export class Conversation {
  /** The server's first message. */
  readonly challenge: string;
  private readonly credentials: Credentials;
  private readonly gs2Header: string;
  private readonly clientFirst: string;
  private readonly nonce: string;

  constructor(credentialsOf: (user: string) => Credentials, message: string) {
    const first = /^([ny],(?:a=[^,]*)?,)(n=([^,]*),r=([\x21-\x2b\x2d-\x7e]+))$/.exec(message);
    if (first === null) throw refused();
    const [, gs2Header, clientFirst, name, clientNonce] = first as unknown as string[];
    const credentials = credentialsOf((name as string).replaceAll('=2C', ',').replaceAll('=3D', '='));
    this.credentials = credentials;
    this.gs2Header = gs2Header as string;
    this.clientFirst = clientFirst as string;
    this.nonce = `${clientNonce}${randomBytes(NONCE_BYTES).toString('base64')}`;
    this.challenge = `r=${this.nonce},s=${credentials.salt.toString('base64')},i=${credentials.iterations}`;
  }

  /** The user name that the client sent. */
  get user(): string {
    return this.credentials.user;
  }

  /** Verifies the client's proof and returns the server's. Throws MongoError 18 if the proof is wrong. */
  finish(message: string): string {
    const final = /^(c=([^,]*),r=([^,]*)),p=([^,]*)$/.exec(message);
    if (final === null) throw refused();
    const [, withoutProof, binding, nonce, proofText] = final as unknown as [string, string, string, string, string];
    const authMessage = `${this.clientFirst},${this.challenge},${withoutProof}`;
    const signature = hmac(this.credentials.storedKey, authMessage);
    const proof = Buffer.from(proofText, 'base64');
    if (proof.length !== KEY_BYTES) throw refused();
    const clientKey = Buffer.from(proof.map((byte, place) => byte ^ (signature[place] as number)));
    const isProven = timingSafeEqual(hash(clientKey), this.credentials.storedKey);
    const isBound = binding === Buffer.from(this.gs2Header).toString('base64') && nonce === this.nonce;
    if (!isProven || !isBound) throw refused();
    return `v=${hmac(this.credentials.serverKey, authMessage).toString('base64')}`;
  }
}

export const refused = (): MongoError => new MongoError(ERROR_CODES.AuthenticationFailed, 'Authentication failed.');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
