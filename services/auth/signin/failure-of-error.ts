import { InvalidDiscordUser } from '../domain/discord-profile.js';
import { LoginFailure } from '../domain/login-failure.js';

/** What the modal shows about an error of the sign-in. */
export function failureOfSignIn(error: unknown): LoginFailure {
  if (error instanceof LoginFailure) return error;
  if (error instanceof InvalidDiscordUser) return new LoginFailure('invalid_user', null, { cause: error });
  return new LoginFailure(isStoreError(error) ? 'database' : 'start_failed', null, { cause: error });
}

/** Mongoose and its driver name all their errors `Mongo...`. */
function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Mongo');
}
