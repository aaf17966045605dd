import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** Parts of the user record that other services own; each holds the state of its latest event. */
const FACT_PARTS = ['badge', 'referral', 'checkin', 'task', 'compensation', 'cordclaim'] as const;
export type FactPart = (typeof FACT_PARTS)[number];

/** The facts of one user: the payload of the highest seq seen, null before the first. */
export type Facts = Readonly<Record<FactPart, Readonly<Record<string, unknown>> | null>>;

export type FactStore = ReturnType<typeof createFactStore>;

interface FactDoc {
  _id: string;
  parts: Record<FactPart, { seq: bigint; state: Record<string, unknown> | null }>;
}

export const FACTS = collection<FactDoc>({
  name: 'facts',
  erase: (documents, userId) => documents.deleteOne({ _id: userId }),
});

const NONE: Facts = Object.freeze(
  Object.fromEntries(FACT_PARTS.map((part) => [part, null])) as unknown as Record<FactPart, null>,
);

export function createFactStore(connection: Connection) {
  const facts = FACTS.in(connection);
  return {
    /** Creates the empty facts of a new user. Without them, events of the user are dropped, as for an erased one. */
    async open(userId: string) {
      const empty = Object.fromEntries(FACT_PARTS.map((name) => [name, { seq: -1n, state: null }]));
      await facts.insertOne({ _id: userId, parts: empty as FactDoc['parts'] });
    },
    /**
     * Stores the state if its seq is the highest so far: duplicates and reordering are harmless (services/README.md#events).
     * @returns whether it was stored
     */
    async keep(userId: string, name: FactPart, seq: bigint, state: Record<string, unknown>) {
      const path = `parts.${name}`;
      const { modifiedCount } = await facts.updateOne(
        { _id: userId, [`${path}.seq`]: { $lt: seq } },
        { $set: { [`${path}.seq`]: seq, [`${path}.state`]: state } },
      );
      return modifiedCount === 1;
    },
    async of(userId: string) {
      const doc = await facts.findOne({ _id: userId });
      if (!doc) return NONE;
      return Object.fromEntries(FACT_PARTS.map((name) => [name, doc.parts[name]?.state ?? null])) as unknown as Facts;
    },
    async remove(userId: string) {
      await facts.deleteOne({ _id: userId });
    },
  };
}
