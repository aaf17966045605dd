import { SWITCHED_OFF } from '@cord/contracts/addresses/switches';

/** One field that the server refused, by its path in the request. */
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

/**
 * Every failed call, whatever failed. `message` is fit to be shown: the server's `error` text, or the text that the
 * call has of its own.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** HTTP status, 0 when there was no answer. */
  readonly status: number;
  /** Stable problem type of the server (RFC 9457), `about:blank` when unknown. */
  readonly type: string;
  readonly detail: string | null;
  readonly fields: readonly FieldProblem[];
  /** How long the server requests to wait, ms; null when it does not. */
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

  /** Whether the same call may succeed later without the user changing anything. */
  get retryable(): boolean {
    if (this.type === SWITCHED_OFF) return false;
    return this.kind === 'network' || this.kind === 'timeout' || this.status === 429 || this.status >= 500;
  }
}

/** Whether there was no answer at all: offline, refused, timed out. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

/** The text of any thrown thing, or the given one when it has none. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== '' ? error.message : fallback;
}
