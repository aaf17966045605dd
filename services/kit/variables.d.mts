export interface Variable {
  readonly by: readonly string[];
  readonly fallback: string;
  readonly meaning: string;
  readonly secret: boolean;
  readonly renewed: boolean;
  readonly made: boolean;
}
export const VARIABLES: Readonly<Record<string, Variable>>;
export const SECRET_VARIABLES: readonly string[];
export const RENEWED_VARIABLES: readonly string[];
export function readBy(process?: string): string[];
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known?: readonly string[],
): string[];
/** Whether this host is this machine's own: a loopback address, or localhost. */
export declare function isLoopback(host: string): boolean;
/** Whether an address of NATS or MongoDB leaves this machine without TLS, or without a look at the certificate. */
export declare function goesInClear(addresses: string): boolean;
