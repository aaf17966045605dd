import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate } from 'node:tls';
import type { Metrics } from './metrics.js';

/** The servers that a service reaches by TLS. */
type Server = 'nats' | 'store';

/** Notes with each connection when the certificate of its server ends: the one of the newest connection is shown. */
export function createCertificates(metrics: Pick<Metrics, 'measured'>) {
  const endsAtMs = new Map<Server, number>();
  metrics.measured('cord_certificate_left_seconds', async () =>
    [...endsAtMs].map(([from, ms]) => ({ labels: { from }, value: Math.round((ms - Date.now()) / 1_000) })),
  );
  return {
    /** What a connection is made with, besides its authority: the server is checked as Node checks it by itself. */
    of: (from: Server) => ({
      checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
        endsAtMs.set(from, firstEndMs(certificate));
        return checkServerIdentity(host, certificate);
      },
    }),
  };
}

/** When the first of a certificate and those who vouch for it ends, ms since epoch. */
function firstEndMs(certificate: PeerCertificate | DetailedPeerCertificate): number {
  const endMs = Date.parse(certificate.valid_to);
  const issuer = 'issuerCertificate' in certificate ? certificate.issuerCertificate : undefined;
  // The last one vouches for itself.
  return issuer === undefined || issuer === certificate ? endMs : Math.min(endMs, firstEndMs(issuer));
}
