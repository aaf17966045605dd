import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';

const PROBE_TIMEOUT_MS = 2_000;

/** @returns whether the address responds with 2xx */
export const answersOk =
  (url: string): (() => Promise<boolean>) =>
  async () => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  };

/**
 * In local mode auth and the Discord mock call each other at the browser's origin.
 * @returns advice when this machine cannot reach that origin, for example when localhost is ::1 only
 */
export async function whyNoSignIn(publicOrigin: string): Promise<string | undefined> {
  try {
    await answersOk(`${publicOrigin}/healthz`)();
    return undefined;
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error;
    return `Sign-in will fail: this machine cannot reach ${publicOrigin} (${message}). Add "127.0.0.1 localhost" to /etc/hosts, or set PUBLIC_ORIGIN=http://127.0.0.1:PORT.`;
  }
}

/** Whether a process has ended. The exit code stays null when a signal ended it. */
export const hasEnded = ({ exitCode, signalCode }: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean =>
  exitCode !== null || signalCode !== null;

/** @returns whether a server accepts connections there */
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
