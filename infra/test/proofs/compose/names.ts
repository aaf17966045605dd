export const PUBLIC_ORIGIN = 'https://cord.example';
/** Third-party host names with stand-ins, and the addresses of the stand-ins and the ingress on this machine. */
export const OUTSIDE = ['discord.com', 'cdn.discordapp.com', 'solana.example'];
export const WORLD = '127.0.0.2';
export const INGRESS = '127.0.0.3';

/** Version that the proof's store reports; the embedded server never has it. */
export const STORE_VERSION = '8.2.1';

/** The operator's Discord account, created in May 2022. */
export const OPERATOR = {
  ...{ id: '979814940657319943', username: 'operator', globalName: null },
  ...{ avatar: null, secondFactor: true },
};
