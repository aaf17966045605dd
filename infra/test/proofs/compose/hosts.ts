import dns from 'node:dns';
import { INGRESS, OUTSIDE, PUBLIC_ORIGIN, WORLD } from './names.ts';

/** Addresses of the proof's host names on this machine. */
export const HOSTS: Readonly<Record<string, string>> = {
  [new URL(PUBLIC_ORIGIN).hostname]: INGRESS,
  ...Object.fromEntries(OUTSIDE.map((name) => [name, WORLD])),
};

/** Makes this process resolve the proof's host names to this machine. */
export function useHosts(): void {
  const lookup = dns.lookup as (...args: unknown[]) => void;
  const own = (name: string, ...rest: unknown[]) => lookup(HOSTS[name] ?? name, ...rest);
  Object.assign(dns, { lookup: own });
}
