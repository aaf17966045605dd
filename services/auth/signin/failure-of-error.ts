import { InvalidDiscordUser } from '../domain/discord-profile.js';
import { LoginFailure } from '../domain/login-failure.js';

/** Converts an error of the sign-in to a failure for the modal. */
export function failureOfSignIn(error: unknown): LoginFailure {
  if (error instanceof LoginFailure) return error;
  if (error instanceof InvalidDiscordUser) return new LoginFailure('invalid_user', null, { cause: error });
  return new LoginFailure(isStoreError(error) ? 'database' : 'start_failed', null, { cause: error });
}

/** All errors of Mongoose and its driver are named `Mongo...`. */
function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Mongo');
}
