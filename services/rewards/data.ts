import { AUDIT_LOG, CREDIT_INDEXES, type DataPlan, OUTBOX_INDEXES } from '@cord/kit/migration/plan';
import { ORDER } from './badge/order-store.js';
import { REFUND, REFUNDS } from './badge/refunds.js';
import { EPOCHS, HOLDER, HOLDERS } from './store.js';

/** What rewards stores; used signatures are read by id. */
export const data: DataPlan = [
  AUDIT_LOG,
  { name: HOLDERS, indexes: CREDIT_INDEXES, schema: HOLDER },
  { name: EPOCHS, indexes: OUTBOX_INDEXES },
  {
    name: 'orders',
    indexes: [
      { key: { userId: 1, createdAtMs: -1 } },
      { key: { reference: 1 }, unique: true },
      { key: { lookAtMs: 1 } },
    ],
    schema: ORDER,
  },
  {
    name: REFUNDS,
    indexes: [
      { key: { userId: 1 } },
      { key: { status: 1, atMs: 1, _id: 1 } },
      { key: { lookAtMs: 1 }, sparse: true },
      { key: { returnTransaction: 1 } },
      ...OUTBOX_INDEXES,
    ],
    schema: REFUND,
  },
];
