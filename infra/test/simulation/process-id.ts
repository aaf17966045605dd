/** One process of a service: its operations end with it. */
export interface ProcessId {
  readonly service: string;
  readonly replica: number;
  /** Rises with each restart. */
  readonly life: number;
}

/** Auth, beside the services under test: its operations go wrong as others', and it never dies. */
export const AUTH: ProcessId = { service: 'auth', replica: 0, life: 0 };
