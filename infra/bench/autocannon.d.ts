/** Types for the used part of autocannon, which has none. */
declare module 'autocannon' {
  interface Request {
    method: string;
    path: string;
    body?: string;
    headers?: Record<string, string>;
  }
  interface Options {
    url: string;
    connections: number;
    headers?: Record<string, string>;
    /** Seconds. */
    duration?: number;
    /** Total number of calls. */
    amount?: number;
    requests?: Request[];
    setupClient?: (client: { setRequests(requests: Request[]): void }) => void;
  }
  interface Result {
    /** Seconds. */
    duration: number;
    errors: number;
    non2xx: number;
    '2xx': number;
    requests: { total: number };
    /** Ms. */
    latency: { p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
