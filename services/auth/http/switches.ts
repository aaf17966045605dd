import { switchEndpoints } from '@cord/contracts/http/switches';
import { SWITCHES, type SwitchName } from '@cord/contracts/switches';
import type { Http } from '@cord/kit/http';
import type { SwitchDesk } from '../switches/desk.js';
import type { SwitchOff } from '../switches/store.js';

/** What admins may switch off. Every act stands in the audit log before it is done (design.md, Sign-in and rights). */
export function serveSwitches(http: Http, desk: SwitchDesk): void {
  http.route(switchEndpoints.switches, async () => ({ switches: present(await desk.off()) }));

  http.route(switchEndpoints.throwSwitch, async ({ user, params: { name }, body: { on, why } }) => ({
    switches: present(await desk.act({ name: name as SwitchName, on, why, by: user.id }, user.id)),
  }));
}

/** Those that everybody has, and what else is off. */
function present(off: readonly SwitchOff[]) {
  const names = [...new Set([...SWITCHES, ...off.map(({ name }) => name)])];
  return names.map((name) => {
    const one = off.find((each) => each.name === name);
    return one
      ? { name, on: false, why: one.why, by: one.by, since: new Date(one.atMs).toISOString() }
      : { name, on: true, why: null, by: null, since: null };
  });
}
