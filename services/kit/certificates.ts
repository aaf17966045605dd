import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate } from 'node:tls';
import type { Metrics } from './metrics.js';

/** Servers that a service reaches over TLS. */
type Server = 'nats' | 'store';

/** Records the certificate expiry with each connection; the newest connection's is reported. */
export function createCertificates(metrics: Pick<Metrics, 'measured'>) {
  const endsAtMs = new Map<Server, number>();
  metrics.measured('cord_certificate_left_seconds', async () =>
    [...endsAtMs].map(([from, ms]) => ({ labels: { from }, value: Math.round((ms - Date.now()) / 1_000) })),
  );
  return {
    /** Connection options besides the authority: the server is checked as Node does by default. */
    of: (from: Server) => ({
      checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
        endsAtMs.set(from, firstEndMs(certificate));
        return checkServerIdentity(host, certificate);
      },
    }),
  };
}

/** Returns the earliest expiry in a certificate chain, ms since epoch. */
function firstEndMs(certificate: PeerCertificate | DetailedPeerCertificate): number {
  const endMs = Date.parse(certificate.valid_to);
  const issuer = 'issuerCertificate' in certificate ? certificate.issuerCertificate : undefined;
  // The root certificate is its own issuer.
  return issuer === undefined || issuer === certificate ? endMs : Math.min(endMs, firstEndMs(issuer));
}
