import { ApiError } from '@cord/sdk';

/** Whether a call failed because the account is in no root yet. */
export const isFirstDay = (error: unknown): boolean => error instanceof ApiError && error.type === 'no-root';
