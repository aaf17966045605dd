import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './problems.mjs';

const ASK_EVERY_MS = 500;
const ANSWER_MS = 10_000;

/**
 * Has the owner of a stream publish what it has lost, and waits until that is done.
 * @param {object} nats connected as the setup user @param {{name: string, owner: string}} stream
 * @param {(line: string) => void} say
 * @throws {StartError} when the owner does not answer, or has what fits no stream
 */
export async function rebuildStream(nats, { name, owner }, say) {
  const { republishRpc } = await import('@cord/contracts/rpc/republish');
  const ask = (begin) =>
    nats.request(republishRpc(owner), { stream: name, begin }, { timeoutMs: ANSWER_MS }).catch((error) => {
      throw new StartError(`${owner} could not republish ${name}: ${error.message}`);
    });
  let far = await ask(true);
  while (far.running) {
    await sleep(ASK_EVERY_MS);
    far = await ask(false);
  }
  say(`${name}  ${owner} looked at ${far.documents} documents and published ${far.told} events that were missing`);
  if (far.unfit > 0) throw new StartError(`${far.unfit} events of ${name} fit no stream: see ${owner}'s log`);
}
