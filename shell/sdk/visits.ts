/** A version of a module that this page has shown. */
export interface Visit {
  module: string;
  version: string;
}

/** The visits of this page that are still to be reported: one for each version that it runs. */
export interface Visits {
  /** @returns whether that is news */
  shown(visit: Visit): boolean;
  /** Something went wrong in it. It is reported with its fault, and where it was reported before, once more. */
  failed(visit: Visit): void;
  /** Those to be reported now that are not to wait. */
  take(waits: (visit: Visit) => boolean): Visit[];
}

/** @param most versions of one page: more are not counted */
export function createVisits(most: number): Visits {
  const known = new Set<string>();
  const withFault = new Set<string>();
  const unsent = new Map<string, Visit>();

  /** Once for each of the two reasons. */
  function note({ module, version }: Visit, noted: Set<string>): boolean {
    const key = `${module} ${version}`;
    if (noted.has(key) || (!known.has(key) && known.size >= most)) return false;
    noted.add(key);
    known.add(key);
    unsent.set(key, { module, version });
    return true;
  }

  return {
    shown: (visit) => note(visit, known),
    failed: (visit) => void note(visit, withFault),
    take(waits) {
      const taken = [...unsent].filter(([, visit]) => !waits(visit));
      for (const [key] of taken) unsent.delete(key);
      return taken.map(([, visit]) => visit);
    },
  };
}
