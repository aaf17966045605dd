import { logJoin } from '@cord/contracts/proof/log-tree';
import { readPolicy, type Witness } from '@cord/contracts/proof/policy';
import { consistencyProof } from '@cord/contracts/proof/tree';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { ANSWER_BYTES_MAX, addCheckpointText, cosignatureIn } from '@cord/contracts/proof/witness';
import { boundedText } from '@cord/kit/http/bounded-body';
import { sha256 } from '../ledger/chain.js';
import { hashesOf } from './log.js';
import { COSIGNATURES_MAX, type HeadDoc, type RootStore } from './store.js';

const ANSWER_MS_MAX = 10_000;

/** A witness with a URL. */
export type CalledWitness = Witness & { url: string };

/** @param text LEDGER_WITNESSES: lines `witness NAME KEY URL` @throws Error that names the variable and the line */
export function witnessesOf(text: string): CalledWitness[] {
  const refuse = (what: string) => new Error(`LEDGER_WITNESSES: ${what}`);
  const { witnesses } = policyOf(text, refuse);
  if (witnesses.length > COSIGNATURES_MAX) throw refuse(`at most ${COSIGNATURES_MAX} witnesses`);
  return witnesses.map((witness) => {
    const { name, url } = witness;
    if (url === null) throw refuse(`witness ${name} has no URL`);
    return { ...witness, url };
  });
}

function policyOf(text: string, refuse: (what: string) => Error) {
  try {
    return readPolicy(sha256, text);
  } catch (error) {
    throw error instanceof RangeError ? refuse(error.message) : error;
  }
}

interface WitnessParts {
  store: RootStore;
  witnesses: readonly CalledWitness[];
}

/**
 * Requests a cosignature of the newest signed checkpoint from each witness that has not signed it yet. Nothing waits for it.
 * Cosignatures are stored and served with the checkpoint; an unavailable witness is called again by the next run. A checkpoint with the
 * maximum number, by witnesses that were replaced since, gets no more.
 * @param hold takes and prolongs the lease; false when another replica has it
 * @throws Error that names each failed witness and the cause, after all were called
 */
export async function callWitnesses({ store, witnesses }: WitnessParts, hold: () => Promise<boolean>): Promise<void> {
  const head = await store.lastHead();
  if (!head?.checkpoint) return;
  const { cosignatures = [] } = head;
  const missing = witnesses.filter(({ vkey }) => !cosignatures.some((one) => one.vkey === vkey));
  if (missing.length === 0 || cosignatures.length >= COSIGNATURES_MAX || !(await hold())) return;
  const hashes = hashesOf((await store.records()).slice(0, head._id));
  const failed = await Promise.all(
    missing.map(async (witness) => {
      try {
        const last = await store.lastCosigned(witness.vkey);
        const line = await cosigned(witness, head, { old: last?._id ?? 0, hashes });
        await store.addCosignature(head._id, { vkey: witness.vkey, line });
        return [];
      } catch (error) {
        return [`${witness.name}: ${(error as Error).message}`];
      }
    }),
  );
  if (failed.flat().length > 0) throw new Error(failed.flat().join('; '));
}

/** @returns the line of the witness @throws Error when it does not sign */
async function cosigned(
  witness: CalledWitness,
  { _id: size, checkpoint = '' }: HeadDoc,
  { old, hashes }: { old: number; hashes: readonly Uint8Array[] },
): Promise<string> {
  const add = (from: number) => {
    const proof = from > 0 && from < size ? consistencyProof(hashes, from, logJoin(sha256)) : [];
    return post(`${witness.url.replace(/\/$/, '')}/add-checkpoint`, addCheckpointText(from, proof, checkpoint));
  };
  let answer = await add(old);
  // Its last size differs from the last one stored here: its response was lost, or it has seen another log.
  const other = answer.status === 409 ? sizeIn(answer) : null;
  if (other !== null && other > size)
    throw new Error(
      `it has signed size ${other}, the log has ${size}: the store was set back, or the key is used elsewhere`,
    );
  if (other !== null && other !== old) answer = await add(other);
  if (answer.status === 409 || answer.status === 422)
    throw new Error(`it responded with ${answer.status}: the log does not extend the one that it has signed`);
  if (answer.status !== 200) throw new Error(`it responded with ${answer.status}`);
  const line = await cosignatureIn(NODE_PRIMITIVES, answer.text, checkpoint, witness);
  if (line === null) throw new Error('its response has no valid signature by its key');
  return line;
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

const sizeIn = ({ type, text }: Answer): number | null =>
  type === 'text/x.tlog.size' && /^(0|[1-9]\d{0,14})\n?$/.test(text) ? Number(text) : null;

/** @throws Error when it does not respond, or the response is too long */
async function post(url: string, body: string): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const response = await fetch(url, { method: 'POST', body, redirect: 'error', signal });
  const text = await boundedText(response, ANSWER_BYTES_MAX);
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text };
}
