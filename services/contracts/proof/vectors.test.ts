import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { concat, fromBase64, sameBytes, utf8 } from './bytes.js';
import { logJoin, recordHash } from './log-tree.js';
import { cosignatureLine, cosignedBytes, readCheckpoint, readNote, readVkey, signers } from './note.js';
import { readTlogProof } from './records.js';
import { newKey } from './test/sample.js';
import { consistencyProof, isConsistent, levels, pathIn, rootOf, rootOfPath } from './tree.js';
import { type ProofFile, verifyProof } from './verify.js';
import { NODE_PRIMITIVES } from './verify-file.js';

/* Vectors that others have published, so that any implementation of these formats reads ours. */

const { sha256 } = NODE_PRIMITIVES;
const join = logJoin(sha256);
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array | null | undefined) => Buffer.from(value ?? []).toString('hex');

/* From transparency-dev/merkle, testonly/constants.go and proof/verify_test.go (Apache-2.0). */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  bytes,
);
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
/** Leaf, counted from 1, size, path. */
const PATHS: [number, number, string[]][] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [3, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  [
    2,
    5,
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];
/** Older size, newer size, proof. */
const CONSISTENT: [number, number, string[]][] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
  [
    6,
    7,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
];
const hashes = INPUTS.map((input) => recordHash(sha256, input));

describe('the RFC 6962 trees of transparency-dev', () => {
  test('have the same roots of 1 to 8 leaves', () => {
    for (const [n, root] of ROOTS.entries()) expect(hex(rootOf(hashes.slice(0, n + 1), join))).toBe(root);
  });

  test.each(PATHS)('have the same path of leaf %i of %i', (leaf, size, path) => {
    const tree = levels(hashes.slice(0, size), join);
    expect(pathIn(tree, leaf - 1).map(hex)).toEqual(path);
    const reached = rootOfPath(hashes[leaf - 1] as Uint8Array, leaf - 1, size, path.map(bytes), join);
    expect(hex(reached)).toBe(ROOTS[size - 1]);
  });

  test.each(CONSISTENT)('continue from size %i to %i', (from, size, proof) => {
    expect(consistencyProof(hashes.slice(0, size), from, join).map(hex)).toEqual(proof);
    const head = (n: number) => ({ size: n, root: bytes(ROOTS[n - 1] as string) });
    expect(isConsistent(head(from), head(size), proof.map(bytes), join, sameBytes)).toBe(true);
  });
});

/* From golang.org/x/mod, sumdb/note/note_test.go (BSD-3-Clause). */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const ENOCH = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PETER_LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const ENOCH_LINE =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

const signersOf = async (note: string, ...vkeys: string[]) => {
  const read = readNote(note);
  const keys = vkeys.map((vkey) => readVkey(sha256, vkey));
  if (!read || !keys.every((key) => key !== null)) return null;
  const found = await signers(NODE_PRIMITIVES, read, keys);
  return found === false ? false : found.map(({ name }) => name);
};

describe('the signed notes of Go', () => {
  test('have a key that parses, but no part or change of it does', () => {
    expect(readVkey(sha256, PETER)).toMatchObject({ name: 'PeterNeumann', id: 'c74f20a3' });
    for (let from = 0; from < PETER.length; from += 1) {
      for (let to = from + 1; to <= PETER.length; to += 1)
        if (from !== 0 || to !== PETER.length) expect(readVkey(sha256, PETER.slice(from, to))).toBeNull();
      const changed = String.fromCharCode(PETER.charCodeAt(from) + 1);
      expect(readVkey(sha256, PETER.slice(0, from) + changed + PETER.slice(from + 1))).toBeNull();
    }
    for (const vkey of [
      'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
      'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ])
      expect(readVkey(sha256, vkey)).toBeNull();
  });

  test('return the signers that are known', async () => {
    const both = `${TEXT}\n${PETER_LINE}${ENOCH_LINE}`;
    expect(readNote(both)?.text).toBe(TEXT);
    expect(await signersOf(both, PETER)).toEqual(['PeterNeumann']);
    expect(await signersOf(both, PETER, ENOCH)).toEqual(['PeterNeumann', 'EnochRoot']);
    expect(await signersOf(both)).toEqual([]);
    expect(await signersOf(`${TEXT}\n${PETER_LINE}${PETER_LINE}`, PETER)).toEqual(['PeterNeumann']);
  });

  test('are rejected with a wrong signature of a known key', async () => {
    const wrong = `${PETER_LINE.slice(0, 60)}ABCD${PETER_LINE.slice(60)}`;
    expect(await signersOf(`${TEXT}\n${wrong}`, PETER)).toBe(false);
    expect(await signersOf(`${TEXT.replace('you', 'I')}\n${PETER_LINE}`, PETER)).toBe(false);
    const misnamed = PETER_LINE.replace('PeterNeumann', 'CarmenSandiego');
    expect(await signersOf(`${TEXT}\n${misnamed}`, PETER)).toEqual([]);
  });

  test.each([
    ['no signature', TEXT],
    ['no line of one', `${TEXT}\n`],
    ['no last newline', `${TEXT}\n${PETER_LINE.slice(0, -1)}`],
    ['a control character', `\u0001${TEXT}\n${PETER_LINE}`],
    ['half of a surrogate pair', `\ud800${TEXT}\n${PETER_LINE}`],
    ['a name with a space', `${TEXT}\n${PETER_LINE.replace('PeterNeumann', 'Bad Name')}`],
    ['a line that is no signature', `${TEXT}\n${PETER_LINE}Unexpected line.\n`],
    ['17 signatures', `${TEXT}\n${PETER_LINE.repeat(17)}`],
  ])('are rejected with %s', (_, note) => {
    expect(readNote(note)).toBeNull();
  });

  test('may have 16 signatures', () => {
    expect(readNote(`${TEXT}\n${PETER_LINE.repeat(16)}`)?.signatures).toHaveLength(16);
  });
});

/* From c2sp.org: signed-note, tlog-checkpoint and tlog-proof (CC BY 4.0). */
describe('the examples of C2SP', () => {
  test('signed-note', async () => {
    const note =
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
    expect(await signersOf(note, vkey)).toEqual(['example.com/foo']);
  });

  test('signed-note with an empty line in its text', () => {
    const note =
      'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n';
    expect(readNote(note)?.text.endsWith('\n\ned è subito sera.\n')).toBe(true);
  });

  test('tlog-checkpoint', () => {
    const note = readNote(
      'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n',
    );
    expect(readCheckpoint(note?.text ?? '')).toEqual({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
      root: fromBase64('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='),
    });
  });

  test('tlog-proof, with and without the line of extra data', () => {
    const path = ['gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=', 'B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA='];
    const proof = `index 73894\n${path.join('\n')}\n\nexample.com/fancylog\n109482\n`;
    const read = {
      index: 73_894,
      path: path.map((hash) => fromBase64(hash)),
      checkpoint: 'example.com/fancylog\n109482\n',
    };
    expect(readTlogProof(`c2sp.org/tlog-proof@v1\n${proof}`)).toEqual(read);
    const extra = 'extra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6kYXJ3aW4tYXJ=';
    expect(readTlogProof(`c2sp.org/tlog-proof@v1\n${extra.slice(0, -5)}\n${proof}`)).toEqual(read);
    for (const wrong of ['index 07', 'index -5', 'index notanumber', 'extra !!notbase64!!\nindex 0', 'index 0\nAAAA'])
      expect(readTlogProof(`c2sp.org/tlog-proof@v1\n${wrong}\n\ncheckpoint\n`), wrong).toBeNull();
    expect(readTlogProof('wrong-header\nindex 0\n\ncheckpoint\n')).toBeNull();
  });

  test('tlog-cosignature, in which a witness signs the note after a time', async () => {
    const witness = newKey('witness.example');
    const text = 'cord.example/ledger\n118\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    expect(Buffer.from(cosignedBytes(text, 1_679_315_147n)).toString()).toBe(
      `cosignature/v1\ntime 1679315147\n${text}`,
    );
    const seconds = 1_679_315_147n;
    const signature = witness.sign(cosignedBytes(text, seconds));
    const line = cosignatureLine(sha256, { ...witness, seconds, signature });
    const id = sha256(concat(utf8('witness.example\n'), Uint8Array.of(4), witness.key)).slice(0, 4);
    const vkey = `witness.example+${hex(id)}+${Buffer.from([4, ...witness.key]).toString('base64')}`;
    expect(await signersOf(`${text}\n${line}`, vkey)).toEqual(['witness.example']);
    const late = cosignatureLine(sha256, { ...witness, seconds: seconds + 1n, signature });
    expect(await signersOf(`${text}\n${late}`, vkey)).toBe(false);
  });
});

/* Ours: one whole proof, for whoever implements the formats of the README. Nothing of this folder computes here but the last test. */
describe('the proof of test/proof-vector.json', () => {
  const vector = readFile(new URL('./test/proof-vector.json', import.meta.url), 'utf8').then(
    (text) => JSON.parse(text) as { vkey: string; text: string; proof: ProofFile },
  );
  const hashOf = (...parts: (string | Buffer)[]) =>
    createHash('sha256')
      .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
      .digest();
  const ofList = (list: readonly string[]) => hashOf(JSON.stringify(list)).toString('base64');
  const sumBytes = (sum: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(sum);
    return bytes;
  };

  test('has a chain of entries that ends with the head of the leaf', async () => {
    const { account, entries, leaf } = (await vector).proof;
    let previous = ofList(['cord/chain/1', account]);
    for (const { n, seq, key, source, amount, balance, at, reason, facts, hash } of entries) {
      previous = ofList(['cord/entry/1', previous, n, seq, key, source, amount, balance, at, reason, facts]);
      expect(hash).toBe(previous);
    }
    expect(leaf.head).toBe(previous);
  });

  test('leads from the leaf to root and total of the record, and to the root of the log', async () => {
    const { leaf, index, path, record, tlog, rules = '' } = (await vector).proof;
    const { day, account, n, head, sum, who, salt } = leaf;
    let node = {
      sum: BigInt(sum),
      hash: hashOf(Buffer.of(0), JSON.stringify(['cord/leaf/1', day, account, n, head, sum, who, salt])),
    };
    // Of three leaves the second one: to the right of the first, to the left of the third.
    expect([index, path.length]).toEqual([1, 2]);
    for (const [at, [text, hash]] of path.entries()) {
      const other = { sum: BigInt(text), hash: Buffer.from(hash, 'base64') };
      const [left, right] = at === 0 ? [other, node] : [node, other];
      node = {
        sum: left.sum + right.sum,
        hash: hashOf(Buffer.of(1), sumBytes(left.sum), left.hash, sumBytes(right.sum), right.hash),
      };
    }
    expect(record).toContain(`total ${node.sum}\nroot ${node.hash.toString('base64')}\n`);
    expect(record).toContain(`rules ${hashOf(rules).toString('base64')}\n`);
    // The last of three records stands alone at the lowest level: its one sibling is the node of the first two.
    const [, , sibling = '', , , size, root] = tlog.split('\n');
    const top = hashOf(Buffer.of(1), Buffer.from(sibling, 'base64'), hashOf(Buffer.of(0), record));
    expect([size, root]).toEqual(['3', top.toString('base64')]);
  });

  test('is accepted by the verifier', async () => {
    const { vkey, text, proof } = await vector;
    expect((await verifyProof(NODE_PRIMITIVES, proof, { vkeys: [vkey] })).text).toBe(text);
  });

  test('has the expected verdict with each change of test/proof-changes.json, as do its whole proofs', async () => {
    const { vkey, proof } = await vector;
    const { changes, proofs } = JSON.parse(
      await readFile(new URL('./test/proof-changes.json', import.meta.url), 'utf8'),
    ) as { changes: [string, string, string, string][]; proofs: { vkey: string; found: string; proof: ProofFile }[] };
    const text = JSON.stringify(proof);
    expect([changes.length, proofs.length]).toEqual([46, 3]);
    for (const [what, from, to, found] of changes) {
      expect(text, what).toContain(from);
      const file: unknown = JSON.parse(text.replace(from, () => to));
      const verdict = await verifyProof(NODE_PRIMITIVES, file, { vkeys: [vkey] });
      expect(verdict.text.startsWith(found), `${what}: ${verdict.text}`).toBe(true);
    }
    for (const { vkey: key, found, proof: file } of proofs)
      expect((await verifyProof(NODE_PRIMITIVES, file, { vkeys: [key] })).text.startsWith(found)).toBe(true);
  });
});
