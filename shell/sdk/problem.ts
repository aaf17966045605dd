import { SWITCHED_OFF } from '@cord/contracts/addresses/switches';

/** A field refused by the server, with its path in the request. */
export interface FieldProblem {
  path: string;
  message: string;
}

export type ApiErrorKind = 'http' | 'network' | 'timeout' | 'aborted';

interface ApiErrorInit {
  kind: ApiErrorKind;
  message: string;
  status?: number;
  type?: string;
  detail?: string | undefined;
  fields?: readonly FieldProblem[];
  retryAfterMs?: number | null;
  requestId?: string | null;
  cause?: unknown;
}

/** Error of every failed call. `message` is shown to users: the server's `error` text, or the call's own text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** HTTP status, 0 without a response. */
  readonly status: number;
  /** Stable problem type of the server (RFC 9457), `about:blank` when unknown. */
  readonly type: string;
  readonly detail: string | null;
  readonly fields: readonly FieldProblem[];
  /** Wait requested by the server, ms; null when none. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;

  constructor(init: ApiErrorInit) {
    super(init.message, { cause: init.cause });
    this.kind = init.kind;
    this.status = init.status ?? 0;
    this.type = init.type ?? 'about:blank';
    this.detail = init.detail ?? null;
    this.fields = init.fields ?? [];
    this.retryAfterMs = init.retryAfterMs ?? null;
    this.requestId = init.requestId ?? null;
  }

  /** Whether the same call may succeed later without a change by the user. */
  get retryable(): boolean {
    if (this.type === SWITCHED_OFF) return false;
    return this.kind === 'network' || this.kind === 'timeout' || this.status === 429 || this.status >= 500;
  }
}

/** Whether there was no response: offline, refused, timed out. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

/** Returns the message of any thrown value, or the fallback when it has none. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== '' ? error.message : fallback;
}
