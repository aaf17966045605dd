import { ApiError } from '@cord/sdk';
import { WalletFailure, type WalletProblem } from '../failures';
import { RpcError } from './rpc';

/** The code with which wallets report a refusal by the user; some report it only as text. */
const REJECTED_CODE = 4001;
/** The mobile protocol's own codes (SolanaMobileWalletAdapterProtocolErrorCode). */
export const AUTHORIZATION_FAILED = -1;
const NOT_SIGNED = -3;
const NOT_SUBMITTED = -4;
const REJECTED = /reject|declin|denied|cancel/i;
const NOT_ENOUGH =
  /insufficient (lamports|funds)|InsufficientFundsForRent|no record of a prior credit|debit an account/i;

/** The network already has the transaction, as with a provider that sends each one twice. */
const TAKEN = /already been processed|AlreadyProcessed/i;
/** Codes with which the network refuses a transaction before it accepts it: preflight, signature, parameters. */
const REFUSED: ReadonlySet<unknown> = new Set([-32_002, -32_003, -32_602]);

/** Converts an error of connecting. */
export function connectFailure(error: unknown, wallet: string): WalletFailure {
  return new WalletFailure(unreached(error) ?? { kind: 'refused' }, wallet, error);
}

/** Converts an error of signing or sending. An ApiError is returned as it is, because the outcome of its call is unknown. */
export function payFailure(error: unknown, wallet: string): WalletFailure | ApiError {
  if (error instanceof WalletFailure) return error;
  const causes = causesOf(error);
  const away = causes.find((cause): cause is ApiError => cause instanceof ApiError);
  if (away) return away;
  return new WalletFailure(unreached(error) ?? answered(error) ?? payProblem(causes), wallet, error);
}

function payProblem(causes: readonly unknown[]): WalletProblem {
  if (causes.some(isRejection)) return { kind: 'rejected' };
  const names = causes.map((cause) => (cause instanceof Error ? cause.name : ''));
  if (names.some((name) => /NotConnected|Disconnected|NotSelected/.test(name))) return { kind: 'disconnected' };
  if (names.includes('WalletConfigError') || names.includes('WalletAccountError')) return { kind: 'unsupported' };
  if (causes.some((cause) => cause instanceof RpcError)) return { kind: 'not-sent' };
  const shown = causes.map((cause) => (cause instanceof Error ? cause.message : '')).find((text) => text !== '');
  return shown === undefined ? { kind: 'rejected' } : { kind: 'unexpected', message: shown };
}

/** Whether the network may have accepted the transaction despite its error response. */
export function mayBeTaken(error: unknown): boolean {
  return error instanceof RpcError && (TAKEN.test(error.message) || !REFUSED.has(error.code));
}

/** Whether the network refused for insufficient balance. */
export function isTooLittle(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof Error && NOT_ENOUGH.test(cause.message));
}

/** The problem of a wallet app that was not reached, by the codes of the mobile protocol; null for other errors. */
function unreached(error: unknown): WalletProblem | null {
  const code = codeOf(error);
  if (code === 'ERROR_WALLET_NOT_FOUND') return { kind: 'not-found' };
  if (code === 'ERROR_BROWSER_NOT_SUPPORTED' || code === 'ERROR_LOOPBACK_ACCESS_BLOCKED')
    return { kind: 'incompatible' };
  if (code === 'ERROR_SESSION_TIMEOUT') return { kind: 'timeout' };
  if (code === 'ERROR_ASSOCIATION_CANCELLED') return { kind: 'refused' };
  return null;
}

/** The problem that a wallet app returned for a payment, by the codes of the mobile protocol. */
function answered(error: unknown): WalletProblem | null {
  const code = codeOf(error);
  const isTaken = causesOf(error).some((cause) => cause instanceof Error && TAKEN.test(cause.message));
  if (isTaken || code === 'ERROR_SESSION_CLOSED') return { kind: 'lost' };
  if (code === AUTHORIZATION_FAILED || code === NOT_SIGNED) return { kind: 'rejected' };
  if (code === NOT_SUBMITTED) return { kind: 'not-sent' };
  return null;
}

function codeOf(error: unknown): unknown {
  return causesOf(error)
    .map((cause) => (cause as { code?: unknown })?.code)
    .find((code) => code !== undefined);
}

function isRejection(cause: unknown): boolean {
  if ((cause as { code?: unknown })?.code === REJECTED_CODE) return true;
  return cause instanceof Error && REJECTED.test(cause.message);
}

/** An error with those that it wraps; adapters put theirs in `error`. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (
    let at = error;
    at && causes.length < 8;
    at = (at as { error?: unknown; cause?: unknown }).error ?? (at as Error).cause
  ) {
    causes.push(at);
  }
  return causes;
}
