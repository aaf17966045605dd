/**
 * Returns the operations port of a process, for readiness, figures and routes: the port after that of its calls, so that no call
 * can reach it.
 */
export function opsPortOf(port: number): number {
  return port + 1;
}

/** Header with which a gateway states, in each probe of `/readyz`, that it admits signed-in users' writes: its value is `yes`. */
export const ADMITS_WRITES = 'x-cord-admits-writes';

/**
 * @param url of the calls: `http://10.0.0.1:8080`
 * @returns `http://10.0.0.1:8081`
 */
export function opsUrlOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `http://${hostname}:${opsPortOf(Number(port || 80))}`;
}
