/** One thing that does not hold in the books. */
export interface Finding {
  /** What it is about: `account <id>`, `order <id>`, `refund <id>`, `referrer <id>`. */
  readonly of: string;
  readonly what: string;
  /** How far a sum is off, micro-CORD; at least 1 for everything that does not hold. */
  readonly driftMicro: bigint;
}

/** How findings are handed on, each as soon as it is certain. */
export type OnFinding = (finding: Finding) => void;

/** How an audit judges what may still be on its way. */
export interface Judgement {
  /** The system's time, ms since epoch. */
  readonly nowMs: number;
  /**
   * What one database holds of another may be behind for so long, ms: an event, a credit or a commission on its way is no finding.
   * 0 for a system at rest, where nothing is on its way.
   */
  readonly lagMs: number;
}

/** @param driftMicro how far a sum is off, either way */
export function finding(of: string, what: string, driftMicro = 0n): Finding {
  const size = driftMicro < 0n ? -driftMicro : driftMicro;
  return { of, what, driftMicro: size === 0n ? 1n : size };
}

/** What a check found, and what was behind but may still come. */
export class Found {
  readonly findings: Finding[] = [];
  /** How many things are on their way. */
  behind = 0;

  constructor(
    readonly of: string,
    readonly judgement: Judgement,
  ) {}

  /** Something that never holds, whatever is on its way. */
  wrong(what: string, driftMicro = 0n): void {
    this.findings.push(finding(this.of, what, driftMicro));
  }

  /** Something that holds once what is on its way has come. @param sinceMs since when it should; ms */
  late(what: string, sinceMs: number, driftMicro = 0n): void {
    const { nowMs, lagMs } = this.judgement;
    if (lagMs > 0 && nowMs - sinceMs < lagMs) this.behind += 1;
    else this.wrong(what, driftMicro);
  }

  /** @param is what stands there @param due what should, micro-CORD */
  sum(what: string, is: bigint | number, due: bigint | number): void {
    if (BigInt(is) !== BigInt(due)) this.wrong(`${what} is ${is}, due is ${due}`, BigInt(is) - BigInt(due));
  }
}

/** What an audit has come to so far. */
export interface Sum {
  findings: number;
  behind: number;
  driftMicro: bigint;
}

/** Adds what was found of a thing to `sum`, and hands each finding on. */
export function report({ behind, findings }: Found, sum: Sum, onFinding: OnFinding): void {
  sum.behind += behind;
  for (const each of findings) {
    sum.findings += 1;
    sum.driftMicro += each.driftMicro;
    onFinding(each);
  }
}
