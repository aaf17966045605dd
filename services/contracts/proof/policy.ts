import { type Sha256, sameBytes } from './bytes.js';
import { COSIGNATURE, type Note, type Primitives, readVkey, signers, type VerifierKey } from './note.js';

/* Who else must have seen a checkpoint (C2SP tlog-policy): logs, witnesses and a quorum. */

/** A witness of a policy. */
export interface Witness {
  /** Name within the policy. */
  name: string;
  vkey: string;
  key: VerifierKey;
  /** URL prefix of its calls; null when the policy has none. */
  url: string | null;
}

interface Policy {
  /** Verifier keys of the logs. */
  logs: string[];
  witnesses: Witness[];
  /** Whether the named witnesses reach the quorum; null when the policy has none. */
  isMet: ((names: ReadonlySet<string>) => boolean) | null;
}

const NAME_MAX = 32;

/**
 * Parses a policy. A semicolon may also end a line, as in an environment variable.
 * @throws RangeError that names the line
 */
export function readPolicy(sha256: Sha256, text: string): Policy {
  const policy: Policy = { logs: [], witnesses: [], isMet: null };
  const rules = new Map<string, (names: ReadonlySet<string>) => boolean>();
  const inGroup = new Set<string>();
  for (const line of text.split(/[\n;]/).map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [kind, ...words] = line.split(/[ \t]+/);
    const refuse = (what: string) => new RangeError(`${line}: ${what}`);
    const [name = '', second = '', ...more] = words;
    const define = (rule: (names: ReadonlySet<string>) => boolean) => {
      if (name === '' || name === 'none' || rules.has(name) || rules.size === 2 * NAME_MAX)
        throw refuse('no name, one that is taken, or one too many');
      rules.set(name, rule);
    };
    if (kind === 'log') {
      if (!readVkey(sha256, name)) throw refuse('no key of a log');
      policy.logs.push(name);
    } else if (kind === 'witness') {
      const key = readVkey(sha256, second);
      const [url = null, ...rest] = more;
      if (key?.kind !== COSIGNATURE || rest.length > 0) throw refuse('no witness NAME KEY URL');
      if (url !== null && !/^https?:$/.test(protocolOf(url))) throw refuse('no URL of http or https');
      if (policy.witnesses.some((one) => sameBytes(one.key.key, key.key))) throw refuse('a key twice');
      define((names) => names.has(name));
      policy.witnesses.push({ name, vkey: second, key, url });
    } else if (kind === 'group') {
      const least = leastOf(second, more.length);
      const members = more.map((member) => rules.get(member));
      const isTwice = new Set(more).size < more.length || more.some((member) => inGroup.has(member));
      if (least < 1 || least > members.length || isTwice)
        throw refuse('no group NAME any|all|NUMBER MEMBERS, or a member twice');
      for (const member of more) inGroup.add(member);
      define((names) => members.filter((rule) => rule?.(names)).length >= least);
      if (members.some((rule) => !rule)) throw refuse('a member that is not defined before');
    } else if (kind === 'quorum') {
      const rule = name === 'none' ? () => true : rules.get(name);
      if (!rule || words.length > 1 || policy.isMet !== null)
        throw refuse('no quorum of a name before, or a second one');
      policy.isMet = rule;
    } else throw refuse('no line of a policy');
  }
  return policy;
}

/** Returns how many members a group needs; 0 for an invalid number. */
function leastOf(text: string, members: number): number {
  if (text === 'any') return 1;
  if (text === 'all') return members;
  return /^[1-9]\d?$/.test(text) ? Number(text) : 0;
}

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
}

/**
 * Checks that a policy's witnesses have signed a checkpoint.
 * @returns null when its quorum is reached; otherwise the fault
 */
export async function policyFault(primitives: Primitives, note: Note, policy: Policy): Promise<string | null> {
  const { witnesses, isMet } = policy;
  if (isMet === null) return 'the policy has no quorum';
  const signed = await signers(
    primitives,
    note,
    witnesses.map(({ key }) => key),
  );
  if (signed === false) return 'the signature of a witness is wrong';
  const names = witnesses.filter(({ key }) => signed.includes(key)).map(({ name }) => name);
  if (isMet(new Set(names))) return null;
  return `${names.length} of ${witnesses.length} witnesses of the policy have signed it: no quorum`;
}
