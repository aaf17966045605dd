/** The version of each module that this page runs, for whoever is told of its faults. */
export const moduleVersions = new Map<string, string>();
