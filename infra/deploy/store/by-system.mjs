import { endCanary } from './canary.mjs';
import { rollBack } from './releases.mjs';

const WHO = { who: 'the system', by: 'system' };

/**
 * What the system does about a version by itself. It is one conditional write: only while the line that was judged is the newest, so that it does not
 * matter how many gateways come to the same judgement, and a person who was faster has the last word.
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @param {string} name
 * @param {{seq: number, from: string | null}} line the one that was judged
 * @param {{act: 'take-back' | 'end-canary', why: string}} verdict
 * @returns {Promise<import('./release-line.mjs').Line | null>} null where another line came first
 * @throws Refused where it cannot be
 */
export function bySystem(store, name, { seq, from }, { act, why }) {
  const word = { ...WHO, why };
  return act === 'take-back' ? rollBack(store, name, from, word, { seq }) : endCanary(store, name, word, { seq });
}
