import type { ServerResponse } from 'node:http';
import { PROBLEM_TITLES, type ProblemDetails } from '@cord/contracts/problems';

/** A refusal by the gateway itself. */
export interface Refusal {
  status: 400 | 403 | 404 | 405 | 413 | 421 | 500 | 503 | 504;
  type: string;
  message: string;
  retryAfterSeconds?: number;
}

/** Responds with problem details (RFC 9457) in the services' format; aborts a response that has already started. */
export function refuse(response: ServerResponse, refusal: Refusal, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, type, message, retryAfterSeconds } = refusal;
  const body: ProblemDetails = {
    type,
    title: PROBLEM_TITLES[status] ?? 'Error',
    status,
    detail: message,
    error: message,
    success: false,
    requestId,
  };
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'application/problem+json; charset=utf-8');
  response.statusCode = status;
  response.end(JSON.stringify(body));
}

export const notFound: Refusal = { status: 404, type: 'not-found', message: 'There is nothing at this address.' };
export const bodyTooLarge: Refusal = {
  status: 413,
  type: 'body-too-large',
  message: 'The request body is over 64 KiB.',
};
export const unavailable: Refusal = {
  status: 503,
  type: 'unavailable',
  message: 'This part is not available right now. Please try again in a moment.',
  retryAfterSeconds: 1,
};
export const timedOut: Refusal = {
  status: 504,
  type: 'timeout',
  message: 'The answer took too long. Please try again.',
};
