import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratch } from '@cord/kit/testing/scratch';
import { createConsole } from '../console/app.js';
import { serve } from './serve.js';

export const CLIENT_SECRET = 'the secret of this installation';

/** Opens a console on a free port, over the given data folder or an empty one. */
export async function openConsole(dataDir?: string, more: { SOLANA_RUNTIME_URL?: string } = {}) {
  const place = dataDir === undefined ? await scratch() : { folder: dataDir, stop: async () => undefined };
  const server = await serve();
  const { origin } = server;
  const app = await createConsole({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: 0,
    PUBLIC_ORIGIN: origin,
    CORD_DATA: place.folder,
    DISCORD_CLIENT_ID: undefined,
    DISCORD_CLIENT_SECRET: CLIENT_SECRET,
    LOG_LEVEL: 'silent',
    ...more,
  });
  server.answerWith(app);
  return {
    origin,
    folder: place.folder,
    call: (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, { redirect: 'manual', ...init }),
    json: server.post,
    form: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${origin}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' }),
    /** Creates an account of the Discord stand-in. @returns its id */
    newAccount: async (fields: object = { username: 'ada' }): Promise<string> => {
      const answer = await server.post('/dev/discord/accounts', fields);
      return ((await answer.json()) as { id: string }).id;
    },
    /** Writes a run.json with these services. */
    runs: (services: Record<string, { url: string }[]>) =>
      writeFile(join(place.folder, 'run.json'), JSON.stringify({ services })),
    close: async () => {
      await server.close();
      await place.stop();
    },
  };
}

export type Console = Awaited<ReturnType<typeof openConsole>>;

/** Makes a PKCE pair. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
