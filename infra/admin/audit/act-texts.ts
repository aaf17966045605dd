import type { TextsOf } from '@cord/sdk';
import { defineTexts } from '../languages';
import { valueText } from './changes';

/** Names of acts and of their facts, by code. */
export const ACT_TEXTS = defineTexts<Record<string, string>>('operators-acts', {
  'user.cleared': 'Network penalty cleared',
  'user.uncleared': 'Network check resumed',
  'address.shared': 'Address marked as shared',
  'address.unshared': 'Address marked as not shared',
  'support.answered': 'Request answered',
  'support.closed': 'Request answered and closed',
  'role.admin': 'Made an operator',
  'role.user': 'Operator role removed',
  'sessions.ended': 'Sessions ended',
  'task.create': 'Task created',
  'task.update': 'Task changed',
  'task.remove': 'Task deleted',
  'epoch.create': 'Epoch created',
  'epoch.update': 'Epoch changed',
  'epoch.remove': 'Epoch deleted',
  'epoch.taken-back': 'Epoch change reverted, it arrived too late',
  'epoch.rejoined': 'Own epochs restored, others had been paid',
  'rules.proposed': 'Change of the rules proposed',
  'rules.confirmed': 'Change of the rules confirmed',
  'rules.withdrawn': 'Change of the rules withdrawn',
  'payment.recorded': 'Payment to refund recorded',
  'refund.returned': 'Refund recorded',
  'credit.retried': 'Credit retried',
  'correction.proposed': 'Correction proposed',
  'correction.confirmed': 'Correction confirmed',
  'correction.withdrawn': 'Correction withdrawn',
  'referral.release': 'Bonus released',
  'referral.refuse': 'Bonus refused',
  'referral.hold': 'Bonus held',
  'user.looked-up': 'Account viewed',
  'address.looked-up': 'Address viewed',
  'support.looked-up': 'Request read',
  'switch.on': 'Switched on',
  'switch.off': 'Switched off',
  'key.rotate': 'Key rotated',
  'key.revoke': 'Key revoked',
  'data.import': 'Data imported',
  'log.begin': 'New log of roots begun',
  'log.continue': 'Log of roots confirmed after a restore',
  'dead-letter.retry': 'Dead letter retried',
  'module.rollback': 'Module rolled back',
  'module.canary': 'Canary started',
  'module.end-canary': 'Canary ended',
  'module.promote': 'Canary promoted',
  'module.freeze': 'Module frozen',
  'module.unfreeze': 'Module unfrozen',
  'fact.at': 'Viewed',
  'fact.kind': 'Kind',
  'fact.by': 'By',
  'fact.service': 'Service',
  'fact.amount': 'Amount, CORD',
  'fact.correctionId': 'Correction',
  'fact.friendId': 'Friend',
  'fact.before': 'Before',
  'fact.after': 'After',
  'fact.sessions': 'Sessions',
  'fact.seq': 'Line',
  'fact.version': 'Version',
  'fact.share': 'Share',
  'fact.instant': 'Exported at',
  'fact.event': 'Event',
  'fact.place': 'Position',
  'fact.note': 'Note',
  'fact.transactionHash': 'Payment',
  'fact.returnTransaction': 'Transaction',
  'fact.returnedAtMs': 'Returned',
  'fact.epochs': 'Epochs',
  'fact.books': 'Versions of the rules',
  'fact.proposals': 'Proposed rules',
  'is.ledger': 'ledger',
  'is.network': 'network record',
  'is.sessions': 'sign-ins',
  'is.record': 'account',
  'is.appeal': 'appeal',
  'is.refund': 'refund',
  'is.support': 'support',
  'is.held': 'held',
  'is.release': 'released',
  'is.refuse': 'refused',
  'is.hold': 'held',
  'is.mining': 'mining sessions',
  'is.orders': 'orders',
  'is.claims': 'claims',
  'is.released': 'released',
  'is.refused': 'refused',
});

type Texts = TextsOf<typeof ACT_TEXTS>;

/** The name of an act by its code, such as `user.cleared`. An unknown code is returned as it is. */
export function actName(texts: Texts, action: string): string {
  return texts[action] ?? action;
}

/** One fact of an entry, such as `Viewed: account, ledger`. */
export function factText(texts: Texts, name: string, value: unknown): string {
  const values = [value].flat().map((one) => (typeof one === 'string' ? factValue(texts, one) : valueText(name, one)));
  return `${texts[`fact.${name}`] ?? name}: ${values.join(', ')}`;
}

/** The text of a fact's value, by its code. */
export function factValue(texts: Texts, value: string): string {
  return texts[`is.${value}`] ?? value;
}
