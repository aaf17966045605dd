/** One process of a service; its operations end with it. */
export interface ProcessId {
  readonly service: string;
  readonly replica: number;
  /** Incremented at each restart. */
  readonly life: number;
}

/** Auth, outside the services under test: its operations can fail too, and it never dies. */
export const AUTH: ProcessId = { service: 'auth', replica: 0, life: 0 };
