import { at, SAMPLE_NOW_MS, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';
import type { JournalLine, Published, Thrown } from './use-modules';

const HOUR_MS = 3_600_000;
const agoOf = (hours: number) => new Date(SAMPLE_NOW_MS - hours * HOUR_MS).toISOString();

export function sampleLine(seq: number, changes: Partial<JournalLine> = {}): JournalLine {
  return {
    ...{ seq, action: 'publish', version: `1.8.${seq}-4fc648d0${seq}287`, from: null, canary: null, frozen: false },
    ...{ who: 'ines', by: 'person', when: agoOf(100 - 9 * seq), why: '' },
    ...changes,
  };
}

export function samplePublished(name: string, changes: Partial<Published> = {}): Published {
  const journal = [sampleLine(1, { who: 'mara', by: 'start' })];
  return { name, sdk: '^2.0.0', ui: '^2.0.0', size: 18_432, previous: null, journal, more: false, ...changes };
}

const SHELL = samplePublished('shell', { sdk: '2.2.0', ui: '2.1.0', size: 117_300 });
/** A module with a long journal: published, rolled back, a canary. */
export const TASKS = samplePublished('mfe_tasks', {
  previous: sampleLine(1).version,
  more: true,
  journal: [
    sampleLine(5, {
      ...{ action: 'canary', version: sampleLine(2).version, from: sampleLine(2).version },
      ...{ canary: { version: '1.9.0-0b1c2d3e4f5a', share: 0.1 }, why: 'The streak’s own page, for a tenth first' },
    }),
    sampleLine(4, {
      ...{
        action: 'rollback',
        version: sampleLine(2).version,
        from: sampleLine(3).version,
        who: 'olek',
      },
      why: 'Every fourth visit meets an error',
    }),
    sampleLine(3, { why: 'Claims at once', from: sampleLine(2).version }),
    sampleLine(2, { who: 'olek', why: 'Streak calendar', from: sampleLine(1).version }),
    sampleLine(1, { who: 'mara', by: 'start' }),
  ],
});
const WALLET = samplePublished('mfe_wallet', {
  previous: sampleLine(1).version,
  journal: [
    sampleLine(3, {
      action: 'freeze',
      version: sampleLine(2).version,
      from: sampleLine(2).version,
      frozen: true,
      who: 'olek',
      why: 'Over the weekend',
    }),
    sampleLine(2, { from: sampleLine(1).version }),
    sampleLine(1),
  ],
});
export const PUBLISHED: readonly Published[] = [SHELL, samplePublished('mfe_mining'), TASKS, WALLET];

export function sampleSwitches(off: readonly Partial<Thrown>[] = []): Thrown[] {
  const names = ['claims', 'orders', 'signups', 'commission'];
  const more = off.flatMap(({ name = '' }) => (names.includes(name) ? [] : [name]));
  return [...names, ...more].map((name) => {
    const thrown = off.find((one) => one.name === name);
    const { why = 'Under repair', by = 'olek', byName = null, since = agoOf(1) } = thrown ?? {};
    return thrown
      ? { name, on: false, why, by, byName, since }
      : { name, on: true, why: null, by: null, byName: null, since: null };
  });
}

/** An sdk of an operator who has the view open. Acts change what it shows. */
export function modulesSdk(module: string | null = null, options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  sdk.tabs.setParam('admin', 'view', 'modules');
  sdk.tabs.setParam('admin', 'module', module);
  let published = PUBLISHED;
  let switches = sampleSwitches();
  const answer = () => ({ published: [...published], unreadable: [] });
  sdk.api
    .on(at.releases.releases, answer)
    .on(at.releases.actOnRelease, ({ params, body }) => {
      published = published.map((one) => {
        const [now] = one.journal;
        if (one.name !== params?.name || !now || !body) return one;
        const { act: action, reason: why, version = now.version } = body;
        const line = {
          ...now,
          action,
          why,
          version,
          from: now.version,
          seq: now.seq + 1,
          who: 'mara_okafor',
          by: 'person',
          canary: null,
        };
        return { ...one, journal: [{ ...line, when: agoOf(0), frozen: action === 'freeze' }, ...one.journal] };
      });
      return answer();
    })
    .on(at.switches.switches, () => ({ switches }))
    .on(at.switches.throwSwitch, ({ params, body }) => {
      const { name = '' } = params ?? {};
      switches = sampleSwitches(body?.on ? [] : [{ name, by: sampleUser().id, why: body?.why ?? '' }]);
      return { switches };
    });
  return sdk;
}
