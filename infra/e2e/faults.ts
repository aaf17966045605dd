import { post } from '../test/kit/post.ts';

/** A fault of local mode: the next matching calls fail. */
export interface Fault {
  path: string;
  method?: string;
  status?: number;
  delayMs?: number;
  body?: unknown;
  times: number;
}

export async function fault(origin: string, wanted: Fault): Promise<void> {
  await post(`${origin}/dev/faults`, wanted);
}

export async function noFaults(origin: string): Promise<void> {
  await fetch(`${origin}/dev/faults`, { method: 'DELETE' });
}
