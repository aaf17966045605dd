/** The one scheme and host where the mobile wallet protocol meets the wallet app of this phone; its port is any of 49152 to 65535. */
const ON_THIS_PHONE = 'ws://localhost:*';

/**
 * Where a page may open WebSockets for wallets: on Android the wallet app of the phone, elsewhere the operator's reflector if
 * there is one. Every other page opens none (`connect-src 'self'`).
 */
export function walletSockets(reflector: string | undefined): (userAgent: string) => readonly string[] {
  const elsewhere = reflector === undefined ? [] : [`wss://${reflector}`];
  return (userAgent) => (/android/i.test(userAgent) ? [ON_THIS_PHONE] : elsewhere);
}
