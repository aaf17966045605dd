/** Whether a host is this machine: a loopback address or localhost. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Whether traffic to NATS or MongoDB could be read or redirected: it leaves this machine without TLS, or without a certificate check.
 * @param addresses a URL; for NATS several separated by commas, each of which is checked
 */
export function isUnencrypted(addresses: string): boolean {
  const mongodb = /^mongodb(\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)[^?]*\??(.*)$/i.exec(addresses.trim());
  if (mongodb) return isMongodbUnencrypted(mongodb);
  return addresses.split(',').some((one) => {
    const given = one.trim();
    const url = /^[a-z]+:\/\//.test(given) ? given : `nats://${given}`;
    return given !== '' && URL.canParse(url) && url.startsWith('nats:') && !isLoopback(new URL(url).hostname);
  });
}

/**
 * A URL may list several hosts; mongodb+srv uses TLS unless disabled. A host that is a path is a local socket.
 * @param parts the whole match, whether it is mongodb+srv, hosts, options
 */
function isMongodbUnencrypted([, srv, hosts = '', query = '']: RegExpExecArray): boolean {
  const isLocal = (host: string) => /^%2f/i.test(host) || isLoopback(host.replace(/:\d+$/, ''));
  if (!srv && hosts.split(',').every(isLocal)) return false;
  const options = new URLSearchParams(query.toLowerCase());
  const tls = [...options.getAll('tls'), ...options.getAll('ssl')];
  const isOn = tls.length > 0 ? tls.every((value) => value === 'true') : Boolean(srv);
  const looks = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'];
  return !isOn || looks.some((name) => options.getAll(name).includes('true'));
}
