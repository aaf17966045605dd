import { NOBODY } from '@cord/contracts/events/envelope';
import { SWITCHES, type SwitchName, switchName } from '@cord/contracts/switches';
import { openAuditLog } from '@cord/kit/audit-log';
import type { Connection } from 'mongoose';
import { throwSwitch } from './desk.js';
import { ALL, SWITCHES as STORED } from './store.js';

/** The command was refused; the message gives the reason. */
export class SwitchRefused extends Error {}

/**
 * Implements `npx cord switch`, with running replicas of auth, which announce the change within half a second, or without any.
 * @param given.connection to auth's database; @param given.now the system's time, ms
 * @returns a line for each switch after the change
 * @throws SwitchRefused with the reason
 */
export async function operateSwitch(given: {
  verb: 'list' | 'off' | 'on';
  name?: string | undefined;
  why?: string | undefined;
  /** The user of the operating system. */
  by: string;
  connection: Connection;
  now: () => number;
}): Promise<string[]> {
  const { verb, name, why, by, connection, now } = given;
  const switches = STORED.versioned(connection);
  if (verb === 'list') return lines((await switches.get(ALL))?.off ?? []);
  const known = switchName.safeParse(name);
  if (!known.success)
    throw new SwitchRefused(`unknown switch ${name}. The switches are ${SWITCHES.join(', ')} and module.mfe_NAME.`);
  if (!why) throw new SwitchRefused('--why is missing: the audit log needs a reason.');
  const audit = openAuditLog(connection, { now });
  const act = { name: known.data as SwitchName, on: verb === 'on', why, by };
  return lines(await throwSwitch({ switches, audit, now }, act, NOBODY));
}

function lines(off: Awaited<ReturnType<typeof throwSwitch>>): string[] {
  const names = new Set<string>([...SWITCHES, ...off.map((one) => one.name)]);
  return [...names].map((name) => {
    const one = off.find((each) => each.name === name);
    return one ? `${name}  OFF since ${new Date(one.atMs).toISOString()} by ${one.by}: ${one.why}` : `${name}  on`;
  });
}
