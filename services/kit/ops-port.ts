/**
 * The port on which a process reports its state: readiness, figures and the routes that it answers are on the port after that of its calls, so
 * that no call can reach them.
 */
export function opsPortOf(port: number): number {
  return port + 1;
}

/** The header by which a gateway states, with each probe of `/readyz`, that it admits writes of signed-in users: its value is `yes`. */
export const ADMITS_WRITES = 'x-cord-admits-writes';

/**
 * @param url where calls go: `http://10.0.0.1:8080`
 * @returns `http://10.0.0.1:8081`
 */
export function opsUrlOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `http://${hostname}:${opsPortOf(Number(port || 80))}`;
}
