import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HTTP_KEEP_ALIVE_MS } from '@cord/kit/bounds';
import { serveHttp } from '@cord/kit/testing/http-server';
import { createConsole } from '../../../infra/dev/console/app.js';
import { addresses } from '../config.js';

/** A response that replaces the next matching call to Discord. */
interface Fault {
  path: string;
  status?: number;
  body?: string;
  type?: string;
  /** Its Retry-After, s. */
  retryAfter?: string;
  /** Closes the connection instead of responding. */
  cut?: boolean;
  /** Delay of the response, ms. */
  silentMs?: number;
}

export type DiscordStandIn = Awaited<ReturnType<typeof startDiscord>>;

const SECRET = 'the client secret of this test';

/** Starts the stand-in of local mode on a free port, with injectable faults. */
export async function startDiscord(publicOrigin: string) {
  const folder = await mkdtemp(join(tmpdir(), 'cord-discord-'));
  const console = await createConsole({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: 0,
    PUBLIC_ORIGIN: publicOrigin,
    CORD_DATA: folder,
    LOG_LEVEL: 'silent',
    DISCORD_CLIENT_ID: undefined,
    DISCORD_CLIENT_SECRET: SECRET,
  });
  const faults: Fault[] = [];
  const calls: { path: string; status: number }[] = [];
  const answer = console.callback();
  const server = await serveHttp(
    (req, res) => {
      const path = new URL(req.url ?? '/', 'http://stand-in').pathname;
      res.on('finish', () => calls.push({ path, status: res.statusCode }));
      const index = faults.findIndex((fault) => path.endsWith(fault.path));
      const [fault] = index < 0 ? [] : faults.splice(index, 1);
      if (fault) answerFault(fault, req, res);
      else answer(req, res);
    },
    { keepAliveTimeout: HTTP_KEEP_ALIVE_MS },
  );
  const { url } = server;
  const base = `${url}/dev/discord`;
  return {
    url,
    faults,
    /** Called paths since the start, with their status. */
    calls,
    settings: {
      ...addresses(base, `${base}/cdn`),
      clientId: 'cord-local',
      clientSecret: SECRET,
      pkce: true,
      redirectUri: `${publicOrigin}/api/auth/discord/callback`,
    },
    async account(fields: {
      username: string;
      globalName?: string;
      createdAt?: string;
      avatar?: string;
      secondFactor?: boolean;
    }) {
      const response = await fetch(`${base}/accounts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
      const made = (await response.json()) as { id?: string; error?: string };
      if (!made.id) throw new Error(`no account: ${made.error}`);
      return made.id;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answerFault(fault: Fault, req: IncomingMessage, res: ServerResponse): void {
  if (fault.cut) {
    req.socket.destroy();
    return;
  }
  setTimeout(() => {
    const wait = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
    res.writeHead(fault.status ?? 500, { 'content-type': fault.type ?? 'application/json', ...wait });
    res.end(fault.body ?? '{}');
  }, fault.silentMs ?? 0);
}
