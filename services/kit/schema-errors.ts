import type { ZodError, z } from 'zod';
import { FIELDS_NAMED_MAX } from './bounds.js';
import { fieldMessages } from './field-messages.js';
import type { FieldError } from './problem.js';

/**
 * Lists a schema error's invalid fields: `limit`, `notifications.email`; `within` stands for the whole when no single
 * field is invalid. An unknown field is listed itself.
 */
export function fieldErrors(error: ZodError, within = 'body'): FieldError[] {
  return error.issues.flatMap((issue) => errorsOf(issue, within)).slice(0, FIELDS_NAMED_MAX);
}

function errorsOf(issue: z.core.$ZodIssue, within: string): FieldError[] {
  const path = issue.path.map(String);
  const translated = fieldMessages(issue);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a known field', translated }));
  }
  return [{ path: path.join('.') || within, message: issue.message, translated }];
}
