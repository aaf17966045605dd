import type { TextsOf } from '@cord/sdk';
import { formatPercent } from '@cord/ui';
import type { TEXTS } from './texts';
import type { JournalLine, Published } from './use-modules';

type T = TextsOf<typeof TEXTS>;

/** A part of the browsers. */
export function shareOf(share: number): string {
  return formatPercent(share * 100);
}

/** Who wrote a line. */
export function authorOf(t: T, { who, by }: Pick<JournalLine, 'who' | 'by'>): string {
  return by === 'start' ? t.atStart({ who }) : who;
}

/** What a line did, as text; an action of a newer release by its own name. */
export function deedOf(t: T, { action, version, canary }: JournalLine): string {
  switch (action) {
    case 'publish':
    case 'promote':
    case 'rollback':
      return t[`action.${action}`]({ version });
    case 'canary':
      return t['action.canary']({ canary: canary?.version ?? version, share: shareOf(canary?.share ?? 0) });
    case 'end-canary':
    case 'freeze':
    case 'unfreeze':
      return t[`action.${action}`];
    default:
      return t['action.other']({ action, version });
  }
}

/** The newest line, which names what is in use. */
export function nowOf({ journal }: Published): JournalLine {
  // The contract has one at least.
  return journal[0] as JournalLine;
}

/** The line by which what is in use came into use; undefined where it is older than those that are sent. */
export function broughtBy({ journal }: Published): JournalLine | undefined {
  return journal.find(({ version, from }) => version !== from);
}

/** The module of a switch of one (`moduleSwitch`), and any other name as it is. */
export function moduleOf(name: string): string {
  return name.replace(/^module\./, '');
}

/** `tasks` of `mfe_tasks`, as the commands take it. */
export function shortName(name: string): string {
  return name.replace(/^mfe_/, '').replaceAll('_', '-');
}
