import { expect, test } from 'vitest';
import { COSIGNATURE, vkeyOf } from './note.js';
import { readPolicy } from './policy.js';
import { newKey } from './test/sample.js';
import { NODE_PRIMITIVES } from './verify-file.js';

const { sha256 } = NODE_PRIMITIVES;
const log = newKey('log.example');
const keys = ['a', 'b', 'c'].map((name) => newKey(`${name}.example`));
const [a = '', b = '', c = ''] = keys.map(({ name, key }) => vkeyOf(sha256, name, key, COSIGNATURE));
const renamed = vkeyOf(sha256, 'other.example', keys[0]?.key ?? new Uint8Array(32), COSIGNATURE);
const WITNESSES = `witness a ${a}; witness b ${b}; witness c ${c}`;

/** Returns the sets of the three witnesses that suffice. */
function enough(rest: string): string[] {
  const { isMet } = readPolicy(sha256, `log ${log.vkey}; ${WITNESSES}; ${rest}`);
  return ['', 'a', 'b', 'c', 'ab', 'ac', 'bc', 'abc'].filter((names) => isMet?.(new Set(names)));
}

test.each([
  ['any of a group', 'group g any a b; quorum g', ['a', 'b', 'ab', 'ac', 'bc', 'abc']],
  ['all of a group', 'group g all a b; quorum g', ['ab', 'abc']],
  ['a number of a group', 'group g 2 a b c; quorum g', ['ab', 'ac', 'bc', 'abc']],
  ['a group in a group', 'group g any a b; group h all g c; quorum h', ['ac', 'bc', 'abc']],
  ['one witness', 'quorum b', ['b', 'ab', 'bc', 'abc']],
  ['none', 'quorum none', ['', 'a', 'b', 'c', 'ab', 'ac', 'bc', 'abc']],
])('a quorum of %s is met by exactly the witnesses that it names', (_, rest, met) => {
  expect(enough(rest)).toEqual(met);
});

test.each([
  ['a member twice in one group', 'group g 2 a a'],
  ['a member twice under any', 'group g any a a b'],
  ['a member in two groups', 'group g any a b; group h all a c'],
  ['more members than it has', 'group g 3 a b'],
  ['no member', 'group g 0 a'],
  ['a number with a leading zero', 'group g 01 a'],
  ['a number below 0', 'group g -1 a'],
  ['another word than any or all', 'group g most a b'],
  ['a word that every object has', 'group g constructor a b'],
  ['nobody', 'group g all'],
  ['a member that is not known', 'group g any a d'],
  ['itself', 'group g any a g'],
  ['a group that stands behind it', 'group g any h; group h any g'],
  ['a name that is taken', 'group a any b c'],
  ['the name none', 'group none any a b'],
  ['none as a member', 'group g any none'],
  ['a quorum of a name that is not known', 'quorum d'],
  ['two quorums', 'quorum a; quorum b'],
  ['a quorum of two names', 'quorum a b'],
  ['a plain key as a witness', `witness d ${newKey('d.example').vkey}`],
  ['a key of a witness twice', `witness d ${a}`],
  ['a key of a witness under another name', `witness d ${renamed}`],
  [
    'a witness at no address of the web',
    `witness d ${vkeyOf(sha256, 'd', newKey('d').key, COSIGNATURE)} ftp://d.example`,
  ],
  ['no key of a log', 'log log.example'],
  ['another line', 'threshold 2'],
])('a policy with %s is refused', (_, line) => {
  expect(() => readPolicy(sha256, `${WITNESSES}; ${line}`)).toThrow(RangeError);
});
