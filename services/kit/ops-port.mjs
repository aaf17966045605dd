/*
 * Where a process is asked how it is: readiness, figures and the routes that it answers are on the port after that of its calls, so that no call can
 * reach them. Plain JavaScript, because the start reads it before anything is built.
 */

/** @param {number} port of the calls @returns {number} of the operations */
export function opsPortOf(port) {
  return port + 1;
}

/**
 * @param {string} url where calls go: `http://10.0.0.1:8080`
 * @returns {string} `http://10.0.0.1:8081`
 */
export function opsUrlOf(url) {
  const { hostname, port } = new URL(url);
  return `http://${hostname}:${opsPortOf(Number(port || 80))}`;
}
