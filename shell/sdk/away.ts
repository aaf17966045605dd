/** An absence of this device that is over. */
export interface Away {
  /** What the device showed last. */
  before: LastSeen;
  /** When they came back, ms by the server's clock. */
  backMs: number;
}

/** The balance that this device showed last, to whom and when. */
export interface LastSeen {
  userId: string;
  /** micro-CORD. */
  micro: bigint;
  /** By the server's clock. */
  atMs: number;
  /** The node's session, and what it had earned by then; null while the node stood still, undefined where that was not known. */
  session?: SeenSession | null | undefined;
}

export interface SeenSession {
  id: string;
  /** micro-CORD. */
  micro: bigint;
}
