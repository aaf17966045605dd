import { connect } from 'node:net';

const PROBE_TIMEOUT_MS = 2_000;

/** @param {string} url @returns {() => Promise<boolean>} whether it answers 2xx */
export const answersOk = (url) => async () => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  await answer.arrayBuffer();
  return answer.ok;
};

/** @param {number} port @returns {() => Promise<boolean>} whether someone accepts connections there */
export const acceptsOn =
  (port, host = '127.0.0.1') =>
  () =>
    new Promise((resolve) => {
      const socket = connect({ port, host });
      const settle = (verdict) => {
        socket.destroy();
        resolve(verdict);
      };
      socket.setTimeout(PROBE_TIMEOUT_MS, () => settle(false));
      socket.once('connect', () => settle(true));
      socket.once('error', () => settle(false));
    });
