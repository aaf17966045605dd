import dns from 'node:dns';
import { INGRESS, OUTSIDE, PUBLIC_ORIGIN, WORLD } from './names.ts';

/** Where names of the proof are on this machine. */
export const HOSTS: Readonly<Record<string, string>> = {
  [new URL(PUBLIC_ORIGIN).hostname]: INGRESS,
  ...Object.fromEntries(OUTSIDE.map((name) => [name, WORLD])),
};

/** From now on this process finds the names of the proof on this machine. */
export function useHosts(): void {
  const lookup = dns.lookup as (...args: unknown[]) => void;
  const own = (name: string, ...rest: unknown[]) => lookup(HOSTS[name] ?? name, ...rest);
  Object.assign(dns, { lookup: own });
}
