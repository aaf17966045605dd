import { Refused } from '../../deploy/store/refused.ts';
import { StartError } from './problems.mjs';

/** Turns a refusal of the release store into a message for the user; any other error stays unchanged. */
export const asStartError = (error: unknown): unknown =>
  error instanceof Refused ? new StartError(`${error.message}.`) : error;
