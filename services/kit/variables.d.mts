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
