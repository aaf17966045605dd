/** A finished absence from this device. */
export interface Away {
  /** State last shown on the device. */
  before: LastSeen;
  /** Time of return, ms by the server's clock. */
  backMs: number;
}

/** The balance last shown on this device, with its user and time. */
export interface LastSeen {
  userId: string;
  /** micro-CORD. */
  micro: bigint;
  /** ms by the server's clock. */
  atMs: number;
  /** The node's session and its earnings at that time; null when the node was idle, undefined when unknown. */
  session?: SeenSession | null | undefined;
}

export interface SeenSession {
  id: string;
  /** micro-CORD. */
  micro: bigint;
}
