import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';

const PROBE_TIMEOUT_MS = 2_000;

/** @returns whether it answers 2xx */
export const answersOk =
  (url: string): (() => Promise<boolean>) =>
  async () => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  };

/** Whether a process has ended, by itself or by a signal: of one that a signal ended the exit code stays null. */
export const hasEnded = ({ exitCode, signalCode }: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean =>
  exitCode !== null || signalCode !== null;

/** @returns whether someone accepts connections there */
export const acceptsOn =
  (port: number, host = '127.0.0.1'): (() => Promise<boolean>) =>
  () =>
    new Promise((resolve) => {
      const socket = connect({ port, host });
      const settle = (verdict: boolean | PromiseLike<boolean>) => {
        socket.destroy();
        resolve(verdict);
      };
      socket.setTimeout(PROBE_TIMEOUT_MS, () => settle(false));
      socket.once('connect', () => settle(true));
      socket.once('error', () => settle(false));
    });
