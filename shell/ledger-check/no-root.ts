import { ApiError } from '@cord/sdk';

const TYPE = 'no-root';

/** Whether a call failed because the account is in no root yet. */
export const isFirstDay = (error: unknown): boolean => error instanceof ApiError && error.type === TYPE;

/** The same where the log itself has no root yet. */
export const noRoot = (): ApiError => new ApiError({ kind: 'http', status: 404, type: TYPE, message: TYPE });
