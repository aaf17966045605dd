import type { Server } from 'node:http';

export const OVERRIDE_HEADER: string;

export function createFront(given: {
  shell: URL;
  remote: { name: string; url: string; prefix: string; entry: string; sdk: string };
  token?: string;
}): Server;
