import { ApiError } from '@cord/sdk';

/** Whether a call failed because no root includes the account yet. */
export const isFirstDay = (error: unknown): boolean => error instanceof ApiError && error.type === 'no-root';
