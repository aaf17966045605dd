import { ApiError } from '@cord/sdk';

/** What a call answers; null for what is not there, or cannot be by its id. @throws what else the call throws */
export async function orGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}
