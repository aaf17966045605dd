import { z } from 'zod';

/** RFC 9457 problem details, with the user's text in `error`. */
export const problemDetails = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  error: z.string(),
  success: z.literal(false),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string(),
});
export type ProblemDetails = z.infer<typeof problemDetails>;

/** Titles by status. A problem's `type` is stable and names the rule that refused. */
export const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Sign-in needed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Already done',
  413: 'Body too large',
  415: 'Content type not supported',
  422: 'Refused by a rule',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Not available right now',
  504: 'Timed out',
};
