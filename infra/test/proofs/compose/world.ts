/**
 * The outside world in the compose proof: Discord under its own names, with the stand-in's accounts, and a chain at
 * solana.example. TLS with a certificate of the authority that the services trust.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createConsole } from '../../../dev/console/app.ts';
import { createApp } from '../../../dev/solana/app.ts';
import { Chain } from '../../../dev/solana/chain.ts';

const FOLDER = '/world';
const { PUBLIC_ORIGIN = '', SOLANA_TREASURY = '' } = process.env;
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8').trim();

const discord = await createConsole({
  ...{ NODE_ENV: 'development', HOST: '127.0.0.1', PORT: 0, LOG_LEVEL: 'warn' },
  ...{ PUBLIC_ORIGIN, CORD_DATA: FOLDER, DISCORD_CLIENT_SECRET: read('client-secret') },
} as Parameters<typeof createConsole>[0]);
const chain = createApp(Chain.open(`${FOLDER}/solana/journal.jsonl`, Date.now), SOLANA_TREASURY);
const [answerDiscord, answerChain] = [discord.callback(), chain.callback()];
/** Prefix of the stand-in's routes for each Discord host. */
const OF_DISCORD: Readonly<Record<string, string>> = {
  'discord.com': '/dev/discord',
  'cdn.discordapp.com': '/dev/discord/cdn',
};

const server = createServer(
  { cert: read('tls.crt'), key: read('tls.key') },
  (request: IncomingMessage, response: ServerResponse) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? '';
    const below = OF_DISCORD[host];
    if (below === undefined) return void answerChain(request, response);
    request.url = `${below}${request.url}`;
    void answerDiscord(request, response);
  },
).listen(443);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
