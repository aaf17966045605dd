import { Refused } from '../../deploy/store/refused.ts';
import { StartError } from './problems.mjs';

/** Of what the store of releases refuses a message for whoever runs the command; any other error stays as it is. */
export const asStartError = (error: unknown): unknown =>
  error instanceof Refused ? new StartError(`${error.message}.`) : error;
