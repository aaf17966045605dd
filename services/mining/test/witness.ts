import { text as textOf } from 'node:stream/consumers';
import { fromBase64, HASH_BYTES, sameBytes } from '@cord/contracts/proof/bytes';
import { logJoin } from '@cord/contracts/proof/log-tree';
import {
  type Checkpoint,
  cosignatureLine,
  cosignedBytes,
  readCheckpoint,
  readNote,
  signedCheckpoint,
  vkeyOf,
} from '@cord/contracts/proof/note';
import { newKey } from '@cord/contracts/proof/test/sample';
import { isConsistent } from '@cord/contracts/proof/tree';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { serveHttp } from '@cord/kit/testing/http-server';
import { sha256 } from '../ledger/chain.js';

interface Answer {
  status: number;
  text?: string;
  type?: string;
}

/**
 * A witness (C2SP tlog-witness) with the keys of some logs. It keeps the last checkpoint of each in memory.
 * @param vkeys keys of the logs
 */
export async function startWitness(name: string, vkeys: readonly string[], nowMs: () => number) {
  const key = newKey(`${name}.example`);
  const last = new Map<string, Checkpoint>();
  const requests: string[] = [];
  /** Replacements for the next responses, one per call. */
  const faults: ((answer: Answer) => Answer)[] = [];

  async function add(body: string): Promise<Answer> {
    const cut = body.indexOf('\n\n');
    const [first = '', ...lines] = body.slice(0, cut).split('\n');
    const note = body.slice(cut + 2);
    const old = Number(/^old (0|[1-9]\d*)$/.exec(first)?.[1] ?? Number.NaN);
    const proof = lines.map((line) => fromBase64(line, HASH_BYTES));
    const read = readNote(note);
    const now = read && readCheckpoint(read.text);
    if (Number.isNaN(old) || !read || !now || !proof.every((hash) => hash !== null) || proof.length > 63)
      return { status: 400 };
    if (!vkeys.some((vkey) => vkey.startsWith(`${now.origin}+`))) return { status: 404 };
    if (!(await signedCheckpoint(NODE_PRIMITIVES, note, vkeys))) return { status: 403 };
    if (old > now.size) return { status: 400 };
    const seen = last.get(now.origin);
    if (old !== (seen?.size ?? 0)) return { status: 409, text: `${seen?.size ?? 0}\n`, type: 'text/x.tlog.size' };
    if (seen && old === now.size && !sameBytes(seen.root, now.root)) return { status: 409 };
    if (seen && old < now.size && !isConsistent(seen, now, proof, logJoin(sha256), sameBytes)) return { status: 422 };
    if ((!seen || old === now.size) && proof.length > 0) return { status: 422 };
    last.set(now.origin, now);
    const seconds = BigInt(Math.floor(nowMs() / 1_000));
    const signature = key.sign(cosignedBytes(read.text, seconds));
    return { status: 200, text: cosignatureLine(sha256, { ...key, seconds, signature }) };
  }

  const server = await serveHttp(async (request, response) => {
    const body = await textOf(request);
    requests.push(body.split('\n', 1)[0] ?? '');
    const isCall = request.method === 'POST' && request.url === '/of/cord/add-checkpoint';
    const made: Answer = isCall ? await add(body) : { status: 404 };
    const { status, text = '', type = 'text/plain' } = faults.shift()?.(made) ?? made;
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  const url = `${server.url}/of/cord/`;
  const vkey = vkeyOf(sha256, key.name, key.key, 4);
  return {
    ...{ name, vkey, requests, faults, last },
    /** Its line in a policy. */
    line: `witness ${name} ${vkey} ${url}`,
    close: server.stop,
  };
}

export type TestWitness = Awaited<ReturnType<typeof startWitness>>;
