import { ApiError } from '@cord/sdk';

/** The answer of a call about a root; null when there is no such root yet, or none that includes the account. @throws ApiError for all else */
export function orNoRoot<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof ApiError && (error.type === 'no-root' || error.type === 'root-pending')) return null;
    throw error;
  });
}
