import { switchEndpoints } from '@cord/contracts/http/switches';
import { SWITCHES, type SwitchName } from '@cord/contracts/switches';
import type { Http } from '@cord/kit/http';
import type { UserStore } from '../store/users.js';
import type { SwitchDesk } from '../switches/desk.js';
import type { SwitchOff } from '../switches/store.js';

/** Mounts the switches for admins. Every action is logged before it runs (services/README.md#sign-in-and-rights). */
export function serveSwitches(http: Http, desk: SwitchDesk, users: Pick<UserStore, 'namesOf'>): void {
  http.route(switchEndpoints.switches, async () => present(await desk.off()));

  http.route(switchEndpoints.throwSwitch, async ({ user, params: { name }, body: { on, why } }) =>
    present(await desk.act({ name: name as SwitchName, on, why, by: user.id }, user.id)),
  );

  async function present(off: readonly SwitchOff[]) {
    const names = await users.namesOf(off.map(({ by }) => by));
    return { switches: listed(off, (by) => names.get(by) ?? null) };
  }
}

/** Lists the built-in switches, and any other that is off. */
function listed(off: readonly SwitchOff[], nameOf: (by: string) => string | null) {
  const names = [...new Set([...SWITCHES, ...off.map(({ name }) => name)])];
  return names.map((name) => {
    const one = off.find((each) => each.name === name);
    return one
      ? { name, on: false, why: one.why, by: one.by, byName: nameOf(one.by), since: new Date(one.atMs).toISOString() }
      : { name, on: true, why: null, by: null, byName: null, since: null };
  });
}
