import { PROBLEM_TITLES, type ProblemDetails } from '@cord/contracts/problems';
import type { FieldMessages } from './field-messages.js';

/** One invalid field. */
export interface FieldError {
  path: string;
  message: string;
  /** The message in other languages. */
  translated?: FieldMessages | undefined;
}

interface ProblemOptions {
  errors?: FieldError[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal with a stable `type`; the message is shown to the user. */
export class Problem extends Error {
  readonly status: number;
  readonly type: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, type: string, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.status = status;
    this.type = type;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }

  /**
   * Returns the body of the response (RFC 9457).
   * @param language of the field messages; a page translates the rest by the type
   */
  toDetails(requestId: string, language = 'en'): ProblemDetails {
    const errors = this.errors?.map(({ path, message, translated }) => ({
      path,
      message: translated?.[language] ?? message,
    }));
    return {
      type: this.type,
      title: PROBLEM_TITLES[this.status] ?? 'Error',
      status: this.status,
      detail: this.message,
      error: this.message,
      success: false,
      ...(errors ? { errors } : {}),
      requestId,
    };
  }
}

/** 400: one field is invalid. @param translated the message in other languages, where a form shows it */
export function badInput(path: string, message: string, translated?: FieldMessages): Problem {
  return badFields([{ path, message, translated }]);
}

/** 400: several fields are invalid. */
export function badFields(errors: FieldError[]): Problem {
  const [first] = errors;
  const text = first ? `${first.path}: ${first.message}` : 'The request is not valid';
  return new Problem(400, 'bad-input', text, { errors });
}

export function unauthorised(message = 'Please sign in'): Problem {
  return new Problem(401, 'sign-in-needed', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export function forbidden(type = 'not-allowed', message = 'You are not allowed to do this'): Problem {
  return new Problem(403, type, message);
}

export function notFound(type: string, message: string): Problem {
  return new Problem(404, type, message);
}

/** 409: already done. */
export function conflict(type: string, message: string): Problem {
  return new Problem(409, type, message);
}

/** 422: a rule refuses. */
export function refused(type: string, message: string): Problem {
  return new Problem(422, type, message);
}

/** 503 with Retry-After: a dependency of this call is away. */
export function unavailable(type: string, message: string, retryAfterSeconds: number, cause?: unknown): Problem {
  return new Problem(503, type, message, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
}

/** 503 by a replica that has not begun the call: the gateway retries it at another one, whatever its method (`infra/gateway/api/reach.ts`). */
export function notTaken(type: string, message: string, retryAfterSeconds: number): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds), 'X-Cord-Not-Taken': '1' };
  return new Problem(503, type, message, { headers });
}

/** 429 with Retry-After. */
export function tooMany(
  retryAfterSeconds: number,
  type = 'too-many-requests',
  message = 'Too many requests. Please try again in a moment.',
): Problem {
  return new Problem(429, type, message, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });
}
