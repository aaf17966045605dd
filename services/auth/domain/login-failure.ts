import { AUTH_ERROR_KEYS, type AuthErrorKey } from '@cord/contracts/texts';

/** The outcomes of a sign-in. */
export const SIGN_IN_OUTCOMES = ['ok', ...AUTH_ERROR_KEYS] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

/** A failed sign-in: the key for the modal, and for `denied` Discord's own text. */
export class LoginFailure extends Error {
  constructor(
    readonly key: AuthErrorKey,
    /** Discord's description, plain text of at most 200 characters. */
    readonly description: string | null = null,
    options?: ErrorOptions,
  ) {
    super(`sign-in failed: ${key}`, options);
    this.name = 'LoginFailure';
  }
}

const DESCRIPTION_LENGTH_MAX = 200;

/** Returns Discord's description as plain text: no control characters, at most 200 characters (services/auth/README.md#a-sign-in). */
export function plainDescription(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain === '' ? null : Array.from(plain).slice(0, DESCRIPTION_LENGTH_MAX).join('');
}

/** OAuth error codes (RFC 6749) with their own text. */
const BY_OAUTH_ERROR: Readonly<Record<string, AuthErrorKey>> = {
  invalid_grant: 'code_expired',
  invalid_client: 'invalid_client',
  unauthorized_client: 'unauthorized',
  unauthorized: 'unauthorized',
  unsupported_grant_type: 'grant_type',
  forbidden: 'forbidden',
  access_denied: 'forbidden',
};

/** Converts Discord's `?error=` at the callback: the person declined, or the request was refused. */
export function failureOfAuthorize(error: string, description: unknown): LoginFailure {
  return new LoginFailure('denied', plainDescription(description) ?? plainDescription(error));
}

/**
 * Converts a refused call to Discord, by the OAuth error first, then by the status.
 * @param body the parsed response, or its text; Discord returns {error, error_description} or {message, code}.
 */
export function failureOfAnswer(status: number | null, body: unknown): LoginFailure {
  const { error, error_description, message } = asFields(body);
  if (typeof error === 'string') {
    const description = `${error} ${typeof error_description === 'string' ? error_description : ''}`;
    if (/redirect_uri/i.test(description) && error !== 'invalid_client') return new LoginFailure('redirect_mismatch');
    const key = BY_OAUTH_ERROR[error];
    if (key) return new LoginFailure(key);
  }
  return failureOfStatus(status ?? statusIn(message) ?? statusIn(error));
}

function failureOfStatus(status: number | null): LoginFailure {
  if (status === 400) return new LoginFailure('code_expired');
  if (status === 401) return new LoginFailure('unauthorized');
  if (status === 403) return new LoginFailure('forbidden');
  return new LoginFailure('network');
}

/** Converts a call to Discord without a response: no connection, or one that was interrupted. */
export function failureOfConnection(cause: unknown): LoginFailure {
  const text = causes(cause).join(' ');
  const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout|TimeoutError/i;
  return new LoginFailure(unreachable.test(text) ? 'unreachable' : 'network', null, { cause });
}

/** Reads `401: Unauthorized`, `403 Forbidden`: messages of Discord and grant begin with the status. */
function statusIn(text: unknown): number | null {
  const match = typeof text === 'string' ? /^(\d{3})\b/.exec(text) : null;
  return match ? Number(match[1]) : null;
}

function asFields(body: unknown): Record<string, unknown> {
  if (typeof body === 'string') return { message: body };
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function causes(error: unknown): string[] {
  if (typeof error === 'string') return [error];
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors.flatMap(causes) : [];
  return [error.name, error.message, code ?? '', ...inner, ...(error.cause ? causes(error.cause) : [])];
}
