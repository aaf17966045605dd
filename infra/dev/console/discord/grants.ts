import { createHash, randomBytes } from 'node:crypto';

const CODE_MS = 600_000;
const TOKEN_MS = 604_800_000;
/** Maximum number of codes and of tokens; the oldest are dropped. */
const KEPT_MAX = 50_000;

interface Code {
  accountId: string;
  redirectUri: string;
  scope: string;
  challenge: string | undefined;
  expiresMs: number;
}

interface Token {
  accountId: string;
  scope: string;
  expiresMs: number;
}

/** An error response of Discord's token endpoint. */
export class GrantRefused extends Error {
  constructor(
    readonly status: 400 | 401,
    readonly error: 'invalid_grant' | 'invalid_client' | 'invalid_request' | 'unsupported_grant_type',
    readonly description?: string,
  ) {
    super(error);
  }
}

export interface TokenAnswer {
  token_type: 'Bearer';
  access_token: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Codes and tokens issued by the stand-in. Unlike accounts they end with the process. */
export class Grants {
  readonly #codes = new Map<string, Code>();
  readonly #tokens = new Map<string, Token>();

  /** Issues a code for one use within ten minutes. */
  approve(code: Omit<Code, 'expiresMs'>, nowMs: number): string {
    const text = randomBytes(15).toString('base64url');
    remember(this.#codes, text, { ...code, expiresMs: nowMs + CODE_MS });
    return text;
  }

  /**
   * Exchanges a code for a token. Any attempt uses up the code.
   * @throws GrantRefused with Discord's text
   */
  exchange(given: { code: string; redirectUri: string; verifier: string | undefined }, nowMs: number): TokenAnswer {
    const code = this.#codes.get(given.code);
    this.#codes.delete(given.code);
    if (!code || nowMs >= code.expiresMs) throw new GrantRefused(400, 'invalid_grant', 'Invalid "code" in request.');
    if (code.redirectUri !== given.redirectUri) {
      throw new GrantRefused(400, 'invalid_grant', 'Invalid "redirect_uri" in request.');
    }
    if (!answersChallenge(code.challenge, given.verifier)) {
      throw new GrantRefused(400, 'invalid_grant', 'Invalid "code_verifier" in request.');
    }
    const token = randomBytes(22).toString('base64url');
    remember(this.#tokens, token, { accountId: code.accountId, scope: code.scope, expiresMs: nowMs + TOKEN_MS });
    return {
      token_type: 'Bearer',
      access_token: token,
      expires_in: TOKEN_MS / 1_000,
      refresh_token: randomBytes(22).toString('base64url'),
      scope: code.scope,
    };
  }

  /** Returns the account of a token until it expires. */
  accountOf(token: string, nowMs: number): string | undefined {
    const found = this.#tokens.get(token);
    return found && nowMs < found.expiresMs ? found.accountId : undefined;
  }

  /** Revoking an unknown token succeeds too (RFC 7009). */
  revoke(token: string): void {
    this.#tokens.delete(token);
  }
}

function answersChallenge(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return true;
  return verifier !== undefined && createHash('sha256').update(verifier).digest('base64url') === challenge;
}

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  const oldest = kept.keys().next();
  if (kept.size > KEPT_MAX && !oldest.done) kept.delete(oldest.value);
}
