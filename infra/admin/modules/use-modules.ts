import * as releasesAt from '@cord/contracts/addresses/releases';
import * as switchesAt from '@cord/contracts/addresses/switches';
import type { ResponseOf } from '@cord/contracts/calls';
import { useActWrite } from '../room/act-write';
import { OPERATORS, pollEvery, useRead } from '../room/reads';

/** The published versions of one module or the shell. */
export type Published = ResponseOf<typeof releasesAt.releases>['published'][number];
export type JournalLine = Published['journal'][number];
export type Thrown = ResponseOf<typeof switchesAt.switches>['switches'][number];

/** Polling interval while the view is on screen, ms. */
const LOOK_MS = 5_000;
const RELEASES = [OPERATORS, 'releases'] as const;
const SWITCHES = [OPERATORS, 'switches'] as const;

export function useReleases() {
  return useRead(releasesAt.releases, { key: RELEASES, ...pollEvery(LOOK_MS) });
}

export function useSwitches() {
  return useRead(switchesAt.switches, { key: SWITCHES, ...pollEvery(LOOK_MS) });
}

/** An act on a module, the shell or a switch. */
export type Act =
  | { act: releasesAt.ReleaseAct; name: string; version: string | null }
  | { act: 'on' | 'off'; name: string };

/** Share of browsers for a canary that is started here. */
export const CANARY_SHARE = 0.1;

/** The request of an act. */
interface Decided {
  act: Act;
  /** The newest journal line that the operator saw. The act is refused if there is a newer one. */
  seq: number;
  reason: string;
}

export function useAct(onSuccess: () => void) {
  return useActWrite<Decided, unknown>(
    (api, { act, seq, reason }) => {
      if (!('version' in act)) {
        const body = { on: act.act === 'on', why: reason };
        return api.call(switchesAt.throwSwitch, { params: { name: act.name }, body });
      }
      const { act: kind, name, version } = act;
      const body = {
        ...{ act: kind, seq, reason },
        ...(version === null ? {} : { version }),
        ...(kind === 'canary' ? { share: CANARY_SHARE } : {}),
      };
      return api.call(releasesAt.actOnRelease, { params: { name }, body });
    },
    {
      key: [OPERATORS, 'act-on-release'],
      refresh: [RELEASES, SWITCHES, [OPERATORS, 'overview']],
      onDone: onSuccess,
    },
  );
}

/** An act as a URL parameter, so that it is open again after a required new sign-in. */
export function actText(act: Act): string {
  const version = 'version' in act ? act.version : null;
  return [act.act, act.name, ...(version === null ? [] : [version])].join(' ');
}

const RELEASE_ACTS: readonly string[] = releasesAt.RELEASE_ACTS;

/** Parses the act in a URL; null if it is not one. */
export function actOf(text: string | null): Act | null {
  const [act = '', name = '', version = null] = (text ?? '').split(' ');
  if (name === '') return null;
  if (act === 'on' || act === 'off') return { act, name };
  return RELEASE_ACTS.includes(act) ? { act: act as releasesAt.ReleaseAct, name, version } : null;
}
