/** One fault in the books. */
export interface Finding {
  /** The object: `account <id>`, `order <id>`, `refund <id>`, `referrer <id>`. */
  readonly of: string;
  readonly what: string;
  /** Size of the deviation, micro-CORD; at least 1 for every finding. */
  readonly driftMicro: bigint;
}

/** Reports a finding as soon as it is certain. */
export type OnFinding = (finding: Finding) => void;

/** How an audit judges updates in transit. */
export interface Judgement {
  /** The system's time, ms since epoch. */
  readonly nowMs: number;
  /**
   * Maximum delay between databases, ms: an event, credit or commission in transit is no finding. 0 for a stopped
   * system, where nothing is in transit.
   */
  readonly lagMs: number;
}

/** Creates a finding. @param driftMicro deviation of a sum, positive or negative */
export function finding(of: string, what: string, driftMicro = 0n): Finding {
  const size = driftMicro < 0n ? -driftMicro : driftMicro;
  return { of, what, driftMicro: size === 0n ? 1n : size };
}

/** The findings of a check, and the number of updates in transit. */
export class Found {
  readonly findings: Finding[] = [];
  /** Number of updates in transit. */
  behind = 0;

  constructor(
    readonly of: string,
    readonly judgement: Judgement,
  ) {}

  /** Reports a fault that no update in transit can explain. */
  wrong(what: string, driftMicro = 0n): void {
    this.findings.push(finding(this.of, what, driftMicro));
  }

  /** Reports a fault unless it is recent enough to be in transit. @param sinceMs when it should have been correct, ms */
  late(what: string, sinceMs: number, driftMicro = 0n): void {
    const { nowMs, lagMs } = this.judgement;
    if (lagMs > 0 && nowMs - sinceMs < lagMs) this.behind += 1;
    else this.wrong(what, driftMicro);
  }

  /** Checks a sum. @param is the stored value @param due the correct value, micro-CORD */
  sum(what: string, is: bigint | number, due: bigint | number): void {
    if (BigInt(is) !== BigInt(due)) this.wrong(`${what} is ${is}, expected ${due}`, BigInt(is) - BigInt(due));
  }
}

/** The totals of an audit so far. */
export interface Sum {
  findings: number;
  behind: number;
  driftMicro: bigint;
}

/** Adds the findings about an object to `sum`, and reports each. */
export function report({ behind, findings }: Found, sum: Sum, onFinding: OnFinding): void {
  sum.behind += behind;
  for (const each of findings) {
    sum.findings += 1;
    sum.driftMicro += each.driftMicro;
    onFinding(each);
  }
}
