/** Whether this host is this machine's own: a loopback address, or localhost. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Whether what is sent to an address of NATS or MongoDB can be read, or its server be another one, on the way there: it leaves this machine
 * without TLS, or without a look at the certificate.
 * @param addresses a URL; of NATS several with commas, of which each is looked at
 */
export function goesInClear(addresses: string): boolean {
  const mongodb = /^mongodb(\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)[^?]*\??(.*)$/i.exec(addresses.trim());
  if (mongodb) return mongodbInClear(mongodb);
  return addresses.split(',').some((one) => {
    const given = one.trim();
    const url = /^[a-z]+:\/\//.test(given) ? given : `nats://${given}`;
    return given !== '' && URL.canParse(url) && url.startsWith('nats:') && !isLoopback(new URL(url).hostname);
  });
}

/**
 * Its hosts stand with commas in one URL; mongodb+srv is TLS unless it sets otherwise. A host that is a path is a socket of this machine.
 * @param parts the whole, whether it is mongodb+srv, hosts, options
 */
function mongodbInClear([, srv, hosts = '', query = '']: RegExpExecArray): boolean {
  const isLocal = (host: string) => /^%2f/i.test(host) || isLoopback(host.replace(/:\d+$/, ''));
  if (!srv && hosts.split(',').every(isLocal)) return false;
  const options = new URLSearchParams(query.toLowerCase());
  const tls = [...options.getAll('tls'), ...options.getAll('ssl')];
  const isOn = tls.length > 0 ? tls.every((value) => value === 'true') : Boolean(srv);
  const looks = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'];
  return !isOn || looks.some((name) => options.getAll(name).includes('true'));
}
