import type { Connection } from 'mongoose';
import { Schema } from 'mongoose';

/** One act of an admin; never changed (design.md, Sign-in and rights). */
export interface AuditDoc {
  _id: string;
  atMs: number;
  adminId: string;
  action: string;
  /** What was acted on: a user id, a request id, an address key. */
  target: string;
  detail: Record<string, unknown>;
}

export interface AuditStore {
  write(entry: AuditDoc): Promise<void>;
  newest(limit: number): Promise<AuditDoc[]>;
  ensureIndexes(): Promise<void>;
}

const text = { type: String, required: true };

const schema = new Schema<AuditDoc>(
  {
    _id: text,
    atMs: { type: Number, required: true },
    adminId: text,
    action: text,
    target: text,
    detail: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'audit', versionKey: false, strict: 'throw', minimize: false },
);
schema.index({ atMs: -1 });

export function createAuditStore(connection: Connection): AuditStore {
  const audit = connection.model<AuditDoc>('Audit', schema);
  return {
    async write(entry) {
      await audit.create(entry);
    },
    newest: (limit) => audit.find().sort({ atMs: -1 }).limit(limit).lean(),
    async ensureIndexes() {
      await audit.createIndexes();
    },
  };
}
