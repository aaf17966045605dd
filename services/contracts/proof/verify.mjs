import { createHash, createPublicKey, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
// services/contracts/proof/bytes.ts
const encoder = new TextEncoder();
/** UTF-8 of a text. @throws RangeError for a lone surrogate: it has no UTF-8, and would be encoded like another text */
function utf8(text) {
	if (/\p{Surrogate}/u.test(text)) throw new RangeError("text holds half of a surrogate pair");
	return encoder.encode(text);
}
function concat(...parts) {
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
function sameBytes(a, b) {
	return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
/** Eight bytes, most significant first. @param value from 0 to 2^64 - 1 */
function u64(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(8);
	new DataView(bytes.buffer).setBigUint64(0, value);
	return bytes;
}
/** Base64 of RFC 4648 section 4, with padding. */
function toBase64(bytes) {
	let binary = "";
	for (const byte of bytes) binary += String.fromCharCode(byte);
	return btoa(binary);
}
/** @returns null where the text is not the one spelling that base64 has of its bytes, or has another length than requested */
function fromBase64(text, length) {
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
	const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
	return toBase64(bytes) === text && (length === void 0 || bytes.length === length) ? bytes : null;
}
/**
* The bytes that stand for a list of texts: UTF-8 of its JSON. A list of strings has one JSON (RFC 8785), `JSON.stringify` makes it everywhere.
* @throws RangeError for a lone surrogate
*/
function listBytes(list) {
	if (/\p{Surrogate}/u.test(list.join("\n"))) throw new RangeError("text holds half of a surrogate pair");
	return encoder.encode(JSON.stringify(list));
}
// services/contracts/proof/tree.ts
/** The levels of a tree from its leaves up to its root; each is half as long as the one below. */
function levels(leaves, join) {
	const all = [[...leaves]];
	for (let below = all[0]; below.length > 1;) {
		const level = [];
		for (let at = 0; at + 1 < below.length; at += 2) level.push(join(below[at], below[at + 1]));
		if (below.length % 2 === 1) level.push(below[below.length - 1]);
		all.push(level);
		below = level;
	}
	return all;
}
/** @throws RangeError for no leaves */
function rootOf(leaves, join) {
	const root = levels(leaves, join).at(-1)?.[0];
	if (root === void 0) throw new RangeError("a tree has at least one leaf");
	return root;
}
/**
* The root that a leaf and its path make (RFC 9162, 2.1.3.2).
* @returns null where index, size and length of the path do not go together
* @throws RangeError as `join` does
*/
function rootOfPath(leaf, index, size, path, join) {
	if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return null;
	let [at, last, node] = [
		index,
		size - 1,
		leaf
	];
	for (const sibling of path) {
		if (last === 0) return null;
		if (at % 2 === 1 || at === last) {
			node = join(sibling, node);
			while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
		} else node = join(node, sibling);
		[at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
	}
	return last === 0 ? node : null;
}
/** The largest power of two below a size above 1. */
function leftOf(size) {
	let left = 1;
	while (left * 2 < size) left *= 2;
	return left;
}
/**
* What shows that a tree begins with the leaves of a smaller one (RFC 9162, 2.1.4.1).
* @param from leaves of the smaller tree, from 1 to all
*/
function consistencyProof(leaves, from, join, isWhole = true) {
	if (from === leaves.length) return isWhole ? [] : [rootOf(leaves, join)];
	const left = leftOf(leaves.length);
	const [low, high] = [leaves.slice(0, left), leaves.slice(left)];
	return from <= left ? [...consistencyProof(low, from, join, isWhole), rootOf(high, join)] : [...consistencyProof(high, from - left, join, false), rootOf(low, join)];
}
/** Whether a proof shows that the newer tree begins with the older one (RFC 9162, 2.1.4.2). */
function isConsistent(older, newer, proof, join, same) {
	if (older.size > newer.size) return false;
	if (older.size === newer.size) return proof.length === 0 && same(older.root, newer.root);
	if (older.size === 0) return proof.length === 0;
	let [at, last] = [older.size - 1, newer.size - 1];
	while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
	const nodes = at === 0 ? [older.root, ...proof] : proof;
	if (nodes.length === 0) return false;
	let [oldRoot, newRoot] = [nodes[0], nodes[0]];
	for (const node of nodes.slice(1)) {
		if (last === 0) return false;
		if (at % 2 === 1 || at === last) {
			[oldRoot, newRoot] = [join(node, oldRoot), join(node, newRoot)];
			while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
		} else newRoot = join(newRoot, node);
		[at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
	}
	return last === 0 && same(oldRoot, older.root) && same(newRoot, newer.root);
}
// services/contracts/proof/log-tree.ts
/** The hash of a record as a leaf of the log. */
function recordHash(sha256, record) {
	return sha256(concat(Uint8Array.of(0), record));
}
/** How nodes of the log are joined. */
function logJoin(sha256) {
	return (left, right) => sha256(concat(Uint8Array.of(1), left, right));
}
/** The path of a tile below the log: `tile/0/x001/067.p/5`; of a bundle of entries with level `entries`. */
function tilePath({ index, width }, level) {
	const digits = String(index);
	const parts = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
	return `tile/${level}/${parts.map((part, at) => at < parts.length - 1 ? `x${part}` : part).join("/")}${width < 256 ? `.p/${width}` : ""}`;
}
/** @returns null where the bytes are no bundle */
function readBundle(bytes) {
	const records = [];
	for (let at = 0; at < bytes.length;) {
		const from = at + 2;
		at = from + ((bytes[at] ?? 0) << 8) + (bytes[at + 1] ?? 0);
		if (from > bytes.length || at > bytes.length) return null;
		records.push(bytes.slice(from, at));
	}
	return records;
}
/**
* All records of a log up to a size, out of its bundles. A bundle of another form has none: then they do not make the root of the size.
* @param read a file of the log, by its path below it
*/
async function readRecords(size, read) {
	const records = [];
	for (let index = 0; index * 256 < size; index += 1) {
		const width = Math.min(256, size - index * 256);
		records.push(...readBundle(await read(tilePath({
			index,
			width
		}, "entries"))) ?? []);
	}
	return records;
}
/** The text of a record, with every character that it has. */
const recordText = (record) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(record);
// services/contracts/proof/note.ts
/** Kinds of signatures: of a log over the note itself, of a witness over the note and a time. */
const PLAIN = 1;
/** Signatures that a note may have. */
const SIGNATURES_MAX = 16;
const isName = (name) => name !== "" && !/[\s+]|\p{Surrogate}/u.test(name);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
function keyId(sha256, name, kind, key) {
	return sha256(concat(utf8(`${name}\n`), Uint8Array.of(kind), key)).slice(0, 4);
}
/** The text of a key that verifies. @param key 32 bytes of Ed25519 */
function vkeyOf(sha256, name, key, kind = PLAIN) {
	return `${name}+${hex(keyId(sha256, name, kind, key))}+${toBase64(concat(Uint8Array.of(kind), key))}`;
}
/** @returns null for a text that is no key, or one of a kind that is not known here */
function readVkey(sha256, vkey) {
	const [, name = "", id = "", text = ""] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(vkey) ?? [];
	const bytes = fromBase64(text, 33);
	const kind = bytes?.[0];
	if (!bytes || !isName(name) || kind !== PLAIN && kind !== 4) return null;
	const key = bytes.slice(1);
	return hex(keyId(sha256, name, kind, key)) === id && vkeyOf(sha256, name, key, kind) === vkey ? {
		name,
		id,
		kind,
		key
	} : null;
}
/** Text and signatures of a note that is well formed; nothing is verified. Null for any other text. */
function readNote(note) {
	if (/[\u0000-\u0009\u000b-\u001f]|\p{Surrogate}/u.test(note)) return null;
	const cut = note.lastIndexOf("\n\n");
	if (cut < 0 || !note.endsWith("\n")) return null;
	const lines = note.slice(cut + 2, -1).split("\n");
	if (lines.length > SIGNATURES_MAX) return null;
	const signatures = lines.map(signatureOf);
	return signatures.every((one) => one !== null) ? {
		text: note.slice(0, cut + 1),
		signatures
	} : null;
}
function signatureOf(line) {
	const [dash, name = "", text = "", ...more] = line.split(" ");
	const bytes = fromBase64(text);
	if (dash !== "—" || !isName(name) || more.length > 0 || !bytes || bytes.length < 5) return null;
	return {
		name,
		id: hex(bytes.slice(0, 4)),
		bytes: bytes.slice(4)
	};
}
/**
* Which of some keys have signed a note. A line of another key is passed over; one of a known key that does not verify spoils the note.
* @returns names of the keys, each once; `false` where a line of a known key does not verify
*/
async function signers({ ed25519 }, { text, signatures }, keys) {
	const found = /* @__PURE__ */ new Set();
	for (const { name, id, bytes } of signatures) {
		const key = keys.find((one) => one.name === name && one.id === id);
		if (!key) continue;
		const signed = key.kind === PLAIN ? {
			message: utf8(text),
			bytes
		} : cosigned(text, bytes);
		if (signed?.bytes.length !== 64 || !await ed25519(key.key, signed.message, signed.bytes)) return false;
		found.add(key);
	}
	return [...found];
}
/** A witness signs the note behind a time, which stands before its signature. */
function cosigned(text, bytes) {
	if (bytes.length !== 72) return null;
	return {
		message: cosignedBytes(text, new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)),
		bytes: bytes.slice(8)
	};
}
/** What a witness signs. @param seconds since epoch */
function cosignedBytes(text, seconds) {
	return utf8(`cosignature/v1\ntime ${seconds}\n${text}`);
}
/** The three lines of a checkpoint. @throws RangeError for an origin that is no line of its own */
function checkpointText({ origin, size, root }) {
	if (!isName(origin)) throw new RangeError("the origin of a log has no space and no plus");
	return `${origin}\n${size}\n${toBase64(root)}\n`;
}
/** @returns null for a text that is no checkpoint of three lines */
function readCheckpoint(text) {
	const [origin = "", size = "", root = "", end, ...more] = text.split("\n");
	const bytes = fromBase64(root, 32);
	return isName(origin) && /^(0|[1-9]\d{0,14})$/.test(size) && end === "" && more.length === 0 && bytes ? {
		origin,
		size: Number(size),
		root: bytes
	} : null;
}
/** The checkpoint of a note; nothing is verified. @returns null for a text that is no note of a checkpoint */
const checkpointOf = (note) => readCheckpoint(readNote(note)?.text ?? "");
/**
* The checkpoint of a signed note.
* @param vkeys keys of its log
* @returns null for a text that is none, or that no key which is named like its log has signed
*/
async function signedCheckpoint(primitives, text, vkeys) {
	const note = readNote(text);
	const checkpoint = note && readCheckpoint(note.text);
	const keys = vkeys.map((vkey) => readVkey(primitives.sha256, vkey)).filter((key) => key !== null);
	const signed = checkpoint && await signers(primitives, note, keys);
	if (!signed) return null;
	return signed.some(({ name }) => name === checkpoint.origin) ? checkpoint : null;
}
// services/contracts/proof/records.ts
const INTEGER = "(0|[1-9]\\d{0,18})";
const HASH = "([A-Za-z0-9+/]{43}=)";
const DAY = new RegExp(`^cord/day/1\\nday (\\d{4}-\\d{2}-\\d{2})\\naccounts ${INTEGER}\\ntotal ${INTEGER}\\nroot ${HASH}\\nrules ${HASH}\\nverifier ${HASH}\\nerased ${INTEGER}\\n$`);
/** The record as a leaf of the log. */
function dayRecordText({ day, accounts, total, root, rules, verifier, erased }) {
	return `cord/day/1\nday ${day}\naccounts ${accounts}\ntotal ${total}\nroot ${root}\nrules ${rules}\nverifier ${verifier}\nerased ${erased}\n`;
}
/** @returns null for a text that is not the record of a day, letter by letter */
function readDayRecord(text) {
	const found = DAY.exec(text);
	if (!found) return null;
	const [, day = "", accounts = "", total = "", root = "", rules = "", verifier = "", erased = ""] = found;
	const record = {
		day,
		accounts: Number(accounts),
		total: BigInt(total),
		root,
		rules,
		verifier,
		erased: Number(erased)
	};
	return [
		root,
		rules,
		verifier
	].every((hash) => fromBase64(hash, 32)) && dayRecordText(record) === text ? record : null;
}
/** @returns null for a text that is not the record of a key */
function readKeyRecord(text) {
	const [, vkey = "", from = ""] = /^cord\/key\/1\nvkey (\S+)\nfrom (0|[1-9]\d{0,14})\n$/.exec(text) ?? [];
	return vkey === "" ? null : {
		vkey,
		from: Number(from)
	};
}
/** One line without control characters and marks of direction, 1 to 200 characters, no space at its ends. */
const REASON = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,200}(?<! )$/u;
/** @returns null for a text that is not the first record of a log that was begun anew */
function readLogRecord(text) {
	const [, origin = "", lines = "", at = "", reason = ""] = /^cord\/log\/1\norigin (\S+)\n((?:before \S+ \d+ \S+\n)+)at (0|[1-9]\d{0,14})\nreason (.+)\n$/u.exec(text) ?? [];
	const found = lines.split("\n").slice(0, -1).map((line) => readCheckpoint(`${line.split(" ").slice(1).join("\n")}\n`));
	const before = found.filter((one) => one !== null);
	return before.length > 0 && before.length === found.length && REASON.test(reason) ? {
		origin,
		before,
		atMs: Number(at),
		reason
	} : null;
}
const TLOG = "c2sp.org/tlog-proof@v1";
/** @returns null for a text that is no such proof; an `extra` line is passed over */
function readTlogProof(text) {
	const cut = text.indexOf("\n\n");
	const [first, ...lines] = text.slice(0, cut).split("\n");
	if (cut < 0 || first !== TLOG) return null;
	if (lines[0]?.startsWith("extra ") && !fromBase64(lines.shift()?.slice(6) ?? "")) return null;
	const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(lines.shift() ?? "") ?? [];
	const path = lines.map((line) => fromBase64(line, 32));
	if (index === void 0 || !path.every((hash) => hash !== null)) return null;
	return {
		index: Number(index),
		path,
		checkpoint: text.slice(cut + 2)
	};
}
// services/contracts/proof/history.ts
/**
* Whether a checkpoint goes on from one that was seen before.
* @param proof hashes of a consistency proof (RFC 9162, 2.1.4)
* @returns null when it does; else what is wrong
*/
function historyFault(sha256, seen, now, proof) {
	if (now.origin !== seen.origin) return `it is of ${now.origin}, the one before of ${seen.origin}`;
	if (now.size < seen.size) return `the log shrank from ${seen.size} to ${now.size}`;
	if (now.size === seen.size) return sameBytes(now.root, seen.root) ? null : `there are two roots of the size ${now.size}`;
	return isConsistent(seen, now, proof, logJoin(sha256), sameBytes) ? null : `the log of size ${now.size} does not go on from the one of size ${seen.size}`;
}
/**
* Whether a log was begun anew after one that was seen before: its first record names the last state of that log.
* @param seen a checkpoint of the log before
* @param first the text of the first record
* @returns that record; null where it is none, or names another root of what was seen, or less than what was seen
*/
function begunAfter(seen, now, first) {
	const record = readLogRecord(first);
	if (record?.origin !== now.origin || now.origin === seen.origin) return null;
	const last = record.before.find(({ origin }) => origin === seen.origin);
	if (!last || last.size < seen.size) return null;
	return last.size > seen.size || sameBytes(last.root, seen.root) ? record : null;
}
/**
* Whether the records of a log make its checkpoint, and it goes on from others.
* @param hashes of all its records, in order
* @param seen checkpoints from before
* @returns null when all holds; else what is wrong
*/
function logFault(sha256, hashes, now, seen) {
	const join = logJoin(sha256);
	if (hashes.length !== now.size || hashes.length === 0 || !sameBytes(rootOf(hashes, join), now.root)) return `${hashes.length} records do not make the root of size ${now.size}`;
	for (const before of seen) {
		const fault = historyFault(sha256, before, now, before.size > 0 && before.size < now.size ? consistencyProof(hashes, before.size, join) : []);
		if (fault) return fault;
	}
	return null;
}
/**
* Whether the days of a log rise: two records of one day could hold two trees, each with the accounts that the other leaves out.
* @param records texts of one log, in order; those of keys and of the log have no day
* @returns null when each day has one record, behind those of the days before; else what is wrong
*/
function dayRecordsFault(records) {
	let last = "";
	for (const text of records) {
		const day = readDayRecord(text)?.day;
		if (day === void 0) continue;
		if (day === last) return `there are two records of ${day}`;
		if (day < last) return `the record of ${day} stands behind the one of ${last}`;
		last = day;
	}
	return null;
}
/**
* The key that signs a log of some records: of the last record of a key. A key before it only vouches for it, and signs nothing by itself.
* @param first the first key of the log
* @returns null where a key has come back: after its rotation a key is never that of the log again
*/
function signingKey(records, first) {
	const keys = [first, ...records.flatMap((text) => readKeyRecord(text)?.vkey ?? [])];
	return new Set(keys).size === keys.length ? keys.at(-1) ?? null : null;
}
// services/contracts/proof/memos.ts
/** The program of memos (SPL memo, version 2). */
const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
/**
* Whether a checkpoint stands on Solana.
* @param text the three lines of the checkpoint
* @param memos all of the signer that name this log
* @returns null when it does; else what is wrong
*/
function memoFault(text, memos, anchor) {
	const size = readCheckpoint(text)?.size;
	const own = ownOf(memos, anchor);
	if (own.some((memo) => memo.text !== text && readCheckpoint(memo.text)?.size === size)) return `there are two memos of the size ${size}`;
	const there = own.find((memo) => memo.text === text);
	if (!there) return "no memo of the known signer has its text";
	return there.finalized ? null : "its memo is not final";
}
/**
* The first later checkpoint on Solana where that of a size has no memo: only the newest one is written, so one is left out while Solana is away.
* @returns null where a memo of the size is there, or no later one is final
*/
function laterMemo(size, memos, anchor) {
	const own = ownOf(memos, anchor).map(({ text, finalized }) => ({
		finalized,
		checkpoint: readCheckpoint(text)
	}));
	if (own.some(({ checkpoint }) => checkpoint?.size === size)) return null;
	return own.flatMap(({ checkpoint, finalized }) => checkpoint && finalized && checkpoint.size > size ? [checkpoint] : []).sort((a, b) => a.size - b.size)[0] ?? null;
}
const ownOf = (memos, anchor) => memos.filter(({ signer, program }) => signer === anchor.signer && program === anchor.program);
const ANSWER_MS_MAX$1 = 5e3;
/** @param url of a node of Solana */
function solanaRpc(url) {
	return async (method, params) => {
		const response = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({
				jsonrpc: "2.0",
				id: 1,
				method,
				params
			}),
			redirect: "error",
			signal: AbortSignal.timeout(ANSWER_MS_MAX$1)
		});
		if (!response.ok) throw new Error(`${method} of Solana answered ${response.status}`);
		const { result, error } = await response.json();
		if (error) throw new Error(`${method} of Solana failed: ${error.message}`);
		return result;
	};
}
/** Signatures that a node lists at once. */
const PAGE = 1e3;
/**
* The memos of an account that name a log, the newest first.
* @param origin name of the log
* @param until the signature of a transaction: it and those before it are left out
* @throws Error where the node does not answer, or with something that is no answer
*/
async function memosOf(rpc, { signer, origin, until }) {
	const found = [];
	for (let before;;) {
		const lines = linesOf(await rpc("getSignaturesForAddress", [signer, {
			limit: PAGE,
			commitment: "confirmed",
			...before && { before },
			...until && { until }
		}]));
		for (const { signature, confirmationStatus } of lines.filter(({ err }) => err === null)) {
			const transaction = await rpc("getTransaction", [signature, {
				encoding: "json",
				commitment: "confirmed",
				maxSupportedTransactionVersion: 0
			}]);
			for (const memo of memosIn(transaction)) if (memo.signer === signer && readCheckpoint(memo.text)?.origin === origin) found.push({
				...memo,
				signature,
				finalized: confirmationStatus === "finalized"
			});
		}
		before = lines.at(-1)?.signature;
		if (lines.length < PAGE) return found;
	}
}
/** @returns the beginning of all where the node has it, or does not state it: then what it does not show is missing */
async function keptFrom(rpc) {
	try {
		const slot = Number(await rpc("getFirstAvailableBlock", []));
		if (slot > 0) return {
			slot,
			atMs: Number(await rpc("getBlockTime", [slot])) * 1e3
		};
	} catch {}
	return {
		slot: 0,
		atMs: 0
	};
}
function linesOf(answer) {
	if (!Array.isArray(answer)) throw new Error("the node of Solana lists no signatures");
	return answer.map((line) => {
		if (typeof line?.signature !== "string") throw new Error("the node of Solana lists no signatures");
		return {
			...line,
			signature: line.signature,
			err: line.err ?? null
		};
	});
}
/** The memos of a transaction as getTransaction has it in JSON. Not known yet, or of another form: none. */
function memosIn(answer) {
	const { slot, transaction, meta } = answer ?? {};
	const { accountKeys, instructions } = transaction?.message ?? {};
	if (!(typeof slot === "number" && Array.isArray(accountKeys) && Array.isArray(instructions)) || meta?.err !== null) return [];
	return instructions.flatMap(({ programIdIndex = -1, data }) => {
		const bytes = accountKeys[programIdIndex] === "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" && typeof data === "string" ? fromBase58(data) : null;
		return bytes === null ? [] : [{
			signer: String(accountKeys[0]),
			program: MEMO_PROGRAM,
			text: new TextDecoder().decode(bytes),
			slot
		}];
	});
}
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** @returns null for what is not base58 */
function fromBase58(text) {
	const bytes = [];
	for (const letter of text) {
		let carry = BASE58.indexOf(letter);
		if (carry === -1) return null;
		for (let at = 0; at < bytes.length; at += 1) {
			carry += (bytes[at] ?? 0) * 58;
			bytes[at] = carry & 255;
			carry >>= 8;
		}
		for (; carry > 0; carry >>= 8) bytes.push(carry & 255);
	}
	const zeros = /^1*/.exec(text)?.[0].length ?? 0;
	return Uint8Array.from([...new Array(zeros).fill(0), ...bytes.reverse()]);
}
// services/contracts/proof/policy.ts
/**
* Reads a policy. Lines may also end with a semicolon, as in a variable.
* @throws RangeError that names the line
*/
function readPolicy(sha256, text) {
	const policy = {
		logs: [],
		witnesses: [],
		isMet: null
	};
	const rules = /* @__PURE__ */ new Map();
	const inGroup = /* @__PURE__ */ new Set();
	for (const line of text.split(/[\n;]/).map((one) => one.trim())) {
		if (line === "" || line.startsWith("#")) continue;
		const [kind, ...words] = line.split(/[ \t]+/);
		const refuse = (what) => /* @__PURE__ */ new RangeError(`${line}: ${what}`);
		const [name = "", second = "", ...more] = words;
		const define = (rule) => {
			if (name === "" || name === "none" || rules.has(name) || rules.size === 64) throw refuse("no name, one that is taken, or one too many");
			rules.set(name, rule);
		};
		if (kind === "log") {
			if (!readVkey(sha256, name)) throw refuse("no key of a log");
			policy.logs.push(name);
		} else if (kind === "witness") {
			const key = readVkey(sha256, second);
			const [url = null, ...rest] = more;
			if (key?.kind !== 4 || rest.length > 0) throw refuse("no witness NAME KEY URL");
			if (url !== null && !/^https?:$/.test(protocolOf(url))) throw refuse("no URL of http or https");
			if (policy.witnesses.some((one) => sameBytes(one.key.key, key.key))) throw refuse("a key twice");
			define((names) => names.has(name));
			policy.witnesses.push({
				name,
				vkey: second,
				key,
				url
			});
		} else if (kind === "group") {
			const least = leastOf(second, more.length);
			const members = more.map((member) => rules.get(member));
			const isTwice = new Set(more).size < more.length || more.some((member) => inGroup.has(member));
			if (least < 1 || least > members.length || isTwice) throw refuse("no group NAME any|all|NUMBER MEMBERS, or a member twice");
			for (const member of more) inGroup.add(member);
			define((names) => members.filter((rule) => rule?.(names)).length >= least);
			if (members.some((rule) => !rule)) throw refuse("a member that is not defined before");
		} else if (kind === "quorum") {
			const rule = name === "none" ? () => true : rules.get(name);
			if (!rule || words.length > 1 || policy.isMet !== null) throw refuse("no quorum of a name before, or a second one");
			policy.isMet = rule;
		} else throw refuse("no line of a policy");
	}
	return policy;
}
/** How many of its members a group needs; 0 for what states no number. */
function leastOf(text, members) {
	if (text === "any") return 1;
	if (text === "all") return members;
	return /^[1-9]\d?$/.test(text) ? Number(text) : 0;
}
function protocolOf(url) {
	try {
		return new URL(url).protocol;
	} catch {
		return "";
	}
}
/**
* Whether the witnesses of a policy have signed a checkpoint.
* @returns null when its quorum has; else what is wrong
*/
async function policyFault(primitives, note, policy) {
	const { witnesses, isMet } = policy;
	if (isMet === null) return "the policy has no quorum";
	const signed = await signers(primitives, note, witnesses.map(({ key }) => key));
	if (signed === false) return "the signature of a witness is wrong";
	const names = witnesses.filter(({ key }) => signed.includes(key)).map(({ name }) => name);
	if (isMet(new Set(names))) return null;
	return `${names.length} of ${witnesses.length} witnesses of the policy have signed it: no quorum`;
}
// services/contracts/rules/days.ts
/** One day, ms. */
const DAY_MS = 864e5;
// services/contracts/rules/rule-book.ts
/** The book of a new system, from the beginning of time on. */
const FIRST_BOOK = {
	version: 1,
	fromMs: 0,
	baseNano: 5e8,
	tiers: [
		100,
		120,
		150,
		200,
		250,
		350,
		500,
		700,
		1e3
	].map((hundredths, fromYears) => ({
		fromYears,
		hundredths
	})),
	badgeHundredths: 105,
	checkinMicro: 5e7,
	streakStepMicro: 5e6,
	streakMostMicro: 1e8,
	commissionPercent: 10,
	taskMostMicro: 1e10
};
/** The book in force at a time. @param books by rising `fromMs`; the first holds before it, too */
function bookAt(books, ms) {
	return books.findLast(({ fromMs }) => fromMs <= ms) ?? books[0] ?? FIRST_BOOK;
}
/** A book as texts, in one order: what is hashed and compared of it. */
function bookTexts(book) {
	const { version, fromMs, baseNano, tiers, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro } = book;
	const numbers = [
		version,
		fromMs,
		baseNano,
		badgeHundredths,
		checkinMicro,
		streakStepMicro,
		streakMostMicro
	];
	const steps = tiers.map(({ fromYears, hundredths }) => `${fromYears}x${hundredths}`);
	return [...[
		...numbers,
		book.commissionPercent,
		book.taskMostMicro
	].map(String), steps.join(" ")];
}
// services/contracts/rules/epochs.ts
/** The epoch in force at a time; ends are exclusive. */
function epochAt(epochs, nowMs) {
	return epochs.find((epoch) => epoch.startAt <= nowMs && nowMs < epoch.endAt) ?? null;
}
// services/contracts/rules/rate.ts
const PLAIN_HUNDREDTHS$1 = 100n;
/** The four factors are hundredths. */
const HUNDREDTHS_OF_ALL = PLAIN_HUNDREDTHS$1 ** 4n;
/**
* Mining rate in nano-CORD per minute, an integer: base x tier x anti-cheat x badge x epoch, cut (services/mining/ledger/README.md#accrual).
* The one rate function, used by service and screen.
*/
function rateNano(rules, factors) {
	const { tierHundredths, antiCheatHundredths, badge, epochHundredths } = factors;
	const of = tierHundredths * antiCheatHundredths * badgeHundredths(rules, badge) * epochHundredths;
	return BigInt(rules.baseNano) * of / HUNDREDTHS_OF_ALL;
}
function badgeHundredths(rules, badge) {
	return badge ? BigInt(rules.badgeHundredths) : PLAIN_HUNDREDTHS$1;
}
// services/contracts/proof/rules.ts
const KIND = "cord/rules/2";
const BOOK_TEXTS = 10;
const PLAIN_HUNDREDTHS = 100;
const WHOLE$1 = /^(0|[1-9]\d{0,15})$/;
const TIERS = /^(0|[1-9]\d{0,15})x(0|[1-9]\d{0,15})( (0|[1-9]\d{0,15})x(0|[1-9]\d{0,15}))*$/;
/**
* The rules up to the end of a UTC day, as the record of the day pins them: the JSON of a list of strings. What begins later is left out and an epoch that
* goes on ends with the day, so that no later change of the table makes another text of a day that is over.
* @param day `2026-11-26`
*/
function rulesText({ books, epochs }, day) {
	const endMs = endOfDay(day);
	const held = books.filter(({ fromMs }) => fromMs < endMs).flatMap((book) => ["book", ...bookTexts(book)]);
	const begun = epochs.filter(({ startAt }) => startAt < endMs).flatMap(({ id, multiplierHundredths, startAt, endAt }) => {
		const times = [startAt, Math.min(endAt, endMs)].map(String);
		return [
			"epoch",
			id,
			String(multiplierHundredths),
			...times
		];
	});
	return JSON.stringify([
		KIND,
		day,
		...held,
		...begun
	]);
}
/** The first ms after a UTC day. @param day `2026-11-26` */
const endOfDay = (day) => Date.parse(`${day}T00:00:00Z`) + DAY_MS;
/** The rules of a text. @returns null for what is not the text of the rules of that day, letter by letter */
function readRules(text, day) {
	const list = listOf(text);
	if (list === null) return null;
	const rules = {
		books: [],
		epochs: []
	};
	for (let at = 2; at < list.length;) {
		const isBook = list[at] === "book";
		const taken = list.slice(at + 1, at + 1 + (isBook ? BOOK_TEXTS : 4));
		if (!(isBook ? taken.slice(0, 9) : taken.slice(1)).every((text) => WHOLE$1.test(text)) || isBook && !TIERS.test(taken.at(-1) ?? "")) return null;
		if (isBook) rules.books.push(bookOf(taken));
		else rules.epochs.push(epochOf(taken));
		at += 1 + taken.length;
	}
	return rules.books.length > 0 && rulesText(rules, day) === text ? rules : null;
}
function listOf(text) {
	try {
		const list = JSON.parse(text);
		return Array.isArray(list) && list.every((each) => typeof each === "string") ? list : null;
	} catch {
		return null;
	}
}
function bookOf(texts) {
	const [version = 0, fromMs = 0, baseNano = 0, badgeHundredths = 0, checkinMicro = 0, ...rest] = texts.slice(0, 9).map(Number);
	const [streakStepMicro = 0, streakMostMicro = 0, commissionPercent = 0, taskMostMicro = 0] = rest;
	return {
		version,
		fromMs,
		baseNano,
		badgeHundredths,
		checkinMicro,
		streakStepMicro,
		streakMostMicro,
		commissionPercent,
		taskMostMicro,
		tiers: (texts[9] ?? "").split(" ").map((step) => {
			const [fromYears = 0, hundredths = 0] = step.split("x").map(Number);
			return {
				fromYears,
				hundredths
			};
		})
	};
}
function epochOf([id = "", ...numbers]) {
	const [multiplierHundredths = 0, startAt = 0, endAt = 0] = numbers.map(Number);
	return {
		id,
		multiplierHundredths,
		startAt,
		endAt
	};
}
/**
* Finds mining entries that no rule allows: of each that has facts, the rate is one that some age, with or without the badge, and some whole percentage of the
* network check make by book and epoch of its first and of its last time. Entries of after the day, and those that were dated later (to the first ms
* of a day), are left out: their time is not known to the ms.
*/
function rateFaults(rules, day) {
	const endMs = endOfDay(day);
	const known = /* @__PURE__ */ new Map();
	const isAllowed = (rateNano, atMs) => {
		const book = bookAt(rules.books, atMs);
		const epochHundredths = epochAt(rules.epochs, atMs)?.multiplierHundredths ?? PLAIN_HUNDREDTHS;
		const key = `${book.version} ${epochHundredths} ${rateNano}`;
		const before = known.get(key);
		if (before !== void 0) return before;
		const allowed = isRateOf(book, epochHundredths, rateNano);
		known.set(key, allowed);
		return allowed;
	};
	return ({ facts, at }) => {
		const [rate, length] = facts.split(" ");
		const [atMs, ms] = [Number(at), Number(length)];
		if (facts === "" || atMs >= endMs || atMs % 864e5 === 0 || ms < 1) return null;
		const rateNano = BigInt(rate ?? "");
		const [firstMs, lastMs] = ms === 1 ? [atMs - 1, atMs] : [atMs + 1 - ms, atMs - 1];
		return (ms === 1 ? isAllowed(rateNano, firstMs) || isAllowed(rateNano, lastMs) : isAllowed(rateNano, firstMs) && isAllowed(rateNano, lastMs)) ? null : `its rate ${rate} is none that the rules of its time allow`;
	};
}
/** Whether some age, badge and network check make a rate by a book in an epoch. */
function isRateOf(book, epochHundredths, rateNano$1) {
	for (const { hundredths } of book.tiers) for (const badge of [false, true]) {
		const factors = {
			tierHundredths: BigInt(hundredths),
			badge,
			epochHundredths: BigInt(epochHundredths)
		};
		const at = (percent) => rateNano(book, {
			...factors,
			antiCheatHundredths: percent
		});
		let [low, high] = [1n, 100n];
		while (low < high) {
			const middle = (low + high) / 2n;
			if (at(middle) < rateNano$1) low = middle + 1n;
			else high = middle;
		}
		if (at(low) === rateNano$1) return true;
	}
	return false;
}
// services/contracts/proof/chain.ts
/** Units of the carry in one micro-CORD: nano-CORD a minute times ms. */
const CARRY_UNIT = 60000000n;
/** The hash before an account's first entry, base64. @param account the random id */
function chainStart(sha256, account, opened = null) {
	return toBase64(sha256(listBytes(opened ? [
		"cord/open/1",
		account,
		opened.seq,
		opened.balance
	] : ["cord/chain/1", account])));
}
/**
* The hash of an entry, base64: over the hash before it and all its fields.
* @throws RangeError for a lone surrogate in a text
*/
function entryHash(sha256, previous, entry) {
	const { n, seq, key, source, amount, balance, at, reason, facts } = entry;
	return toBase64(sha256(listBytes([
		"cord/entry/1",
		previous,
		n,
		seq,
		key,
		source,
		amount,
		balance,
		at,
		reason,
		facts
	])));
}
/** What the facts of a mining entry come to, micro-CORD. Null for other texts. */
function amountOfFacts(facts) {
	const found = /^(0|[1-9]\d{0,18}) (0|[1-9]\d{0,14}) (0|[1-9]\d{0,7})$/.exec(facts);
	if (!found) return null;
	const [rateNano, ms, carryBefore] = found.slice(1).map(BigInt);
	return (rateNano * ms + carryBefore) / CARRY_UNIT;
}
// services/contracts/proof/sum-tree.ts
/** Sums stay below it, so that none can pass for a negative one. */
const SUM_LIMIT = 2n ** 63n;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
/** @throws RangeError for a sum that no balance has */
function leafNode(sha256, { day, account, n, head, sum, who, salt }) {
	const list = listBytes([
		"cord/leaf/1",
		day,
		account,
		n,
		head,
		sum,
		who,
		salt
	]);
	return {
		sum: inRange$1(BigInt(sum)),
		hash: sha256(concat(LEAF, list))
	};
}
/** How nodes of a day's tree are joined. @throws RangeError for a sum outside of 0 to 2^63 - 1, for a hash that is none */
function sumJoin(sha256) {
	return (left, right) => ({
		sum: inRange$1(inRange$1(left.sum) + inRange$1(right.sum)),
		hash: sha256(concat(NODE, u64(left.sum), whole(left.hash), u64(right.sum), whole(right.hash)))
	});
}
function inRange$1(sum) {
	if (sum < 0n || sum >= SUM_LIMIT) throw new RangeError(`a sum of ${sum} micro-CORD is out of range`);
	return sum;
}
function whole(hash) {
	if (hash.length !== 32) throw new RangeError("a hash has 32 bytes");
	return hash;
}
// services/contracts/proof/entries.ts
const FIELDS = [
	"n",
	"seq",
	"key",
	"source",
	"amount",
	"balance",
	"at",
	"reason",
	"facts",
	"hash"
];
const WHOLE = /^(0|[1-9]\d{0,18})$/;
const SIGNED = /^(0|-?[1-9]\d{0,18})$/;
/** Where the chain of an account begins. */
function chainBefore(sha256, account, opened = null) {
	const [seq, balanceMicro] = opened ? [BigInt(opened.seq), BigInt(opened.balance)] : [0n, 0n];
	return {
		n: 0,
		seq,
		head: chainStart(sha256, account, opened),
		balanceMicro,
		recomputed: 0
	};
}
/** A carried balance as a file has it. @returns false for what is none */
function readCarried(value) {
	if (value === null) return null;
	const { seq, balance } = value ?? {};
	return isText(seq, WHOLE) && isText(balance, WHOLE) && BigInt(balance) < SUM_LIMIT && {
		seq,
		balance
	};
}
/**
* Follows the entries of an account: each numbered after the one before, of its account, with the balance that the amounts make, the amount that
* its facts make, and the hash over the one before and all its fields.
* @param entries in order, of any shape
* @returns what they come to, or the first that does not hold
*/
function followEntries(sha256, account, before, entries) {
	let chained = before;
	for (const entry of entries) {
		const what = shapeFault(entry) ?? ruleFault(entry, account, chained);
		if (what) return {
			n: String(chained.n + 1),
			what
		};
		const next = entry;
		if (next.hash !== hashOf(sha256, chained.head, next)) return {
			n: next.n,
			what: "its hash is not the hash of its fields"
		};
		chained = {
			n: chained.n + 1,
			seq: BigInt(next.seq),
			head: next.hash,
			balanceMicro: BigInt(next.balance),
			recomputed: chained.recomputed + (next.facts === "" ? 0 : 1)
		};
	}
	return chained;
}
function shapeFault(entry) {
	if (typeof entry !== "object" || entry === null) return "it is no entry";
	const fields = entry;
	for (const field of FIELDS) if (typeof fields[field] !== "string") return `its ${field} is no text`;
	const { n, seq, amount, balance, at } = entry;
	if (!WHOLE.test(n)) return "its n is no whole number in its one spelling";
	if (!WHOLE.test(seq)) return "its seq is no whole number in its one spelling";
	if (!SIGNED.test(amount)) return "its amount is no whole number in its one spelling";
	if (!WHOLE.test(balance) || BigInt(balance) >= SUM_LIMIT) return "its balance is no whole number in its one spelling";
	return WHOLE.test(at) ? null : "its time is no whole number in its one spelling";
}
function ruleFault(entry, account, { n, seq, balanceMicro }) {
	if (entry.n !== String(n + 1)) return `number ${entry.n} stands in its place`;
	if (BigInt(entry.seq) <= seq) return `its seq ${entry.seq} follows ${seq}`;
	const [source, ...parts] = entry.key.split(":");
	if (source !== entry.source) return `its key ${entry.key} is none of ${entry.source}`;
	if (!parts.includes(account)) return `its key ${entry.key} is of another account`;
	const dueMicro = balanceMicro + BigInt(entry.amount);
	if (BigInt(entry.balance) !== dueMicro) return `its balance is ${entry.balance}, the amounts up to it make ${dueMicro}`;
	if (entry.facts === "") return null;
	const madeMicro = entry.source === "mining" ? amountOfFacts(entry.facts) : null;
	if (madeMicro === null) return "its facts are none";
	return BigInt(entry.amount) === madeMicro ? null : `its amount is ${entry.amount}, its facts make ${madeMicro}`;
}
/** @returns null where a text has no UTF-8 */
function hashOf(sha256, previous, entry) {
	try {
		return entryHash(sha256, previous, entry);
	} catch {
		return null;
	}
}
function isText(value, shape) {
	return typeof value === "string" && shape.test(value);
}
// services/contracts/proof/verify.ts
/** Characters of the root that a verdict shows. */
const ROOT_SHOWN = 12;
const MICRO = 1000000n;
var Mismatch = class extends Error {
	part;
	what;
	n;
	constructor(part, what, n) {
		super(what);
		this.part = part;
		this.what = what;
		this.n = n;
	}
};
/**
* Checks a proof: entries, leaf, path to the day's root, record, rules, path to the log's root, signature. The one verifier: the page, verify.mjs,
* `cord verify` and the audit run it.
* @param file of any shape; throws for none
* @returns that it holds, or the first thing that does not
*/
async function verifyProof(primitives, file, known = {}) {
	try {
		return await check(primitives, file, known);
	} catch (error) {
		const { part, n, what } = error instanceof Mismatch ? error : unreadable(error);
		return {
			ok: false,
			text: `MISMATCH ${part}${n === void 0 ? "" : ` ${n}`}: ${what}`,
			part,
			...n === void 0 ? {} : { n }
		};
	}
}
/** Of a text that has no UTF-8, of a number that is none. @throws what is no fault of the file */
function unreadable(error) {
	if (!(error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
	return new Mismatch("file", error.message);
}
async function check(primitives, file, known) {
	const { sha256 } = primitives;
	const proof = readFile$1(file);
	const { account, leaf } = proof;
	if (known.account !== void 0 && account !== known.account) throw new Mismatch("file", `it is of account ${account}, not of ${known.account}`);
	const from = known.from ?? chainBefore(sha256, account, proof.opened);
	const ofDay = entriesOfDay(proof);
	const covered = follow(sha256, account, from, proof.entries.slice(0, ofDay));
	const chained = follow(sha256, account, covered, proof.entries.slice(ofDay));
	const later = known.later ?? [];
	const newest = follow(sha256, account, chained, later);
	if (known.seen && known.seen.n > from.n) checkSeen([...proof.entries, ...later], known.seen, newest.n);
	checkLeaf(proof, chained);
	const record = readDayRecord(proof.record);
	if (!record) throw new Mismatch("tree", "the record of the day has no known form");
	if (leaf.day !== record.day) throw new Mismatch("leaf", `it is of ${leaf.day}, the record of ${record.day}`);
	checkTree(sha256, proof, record);
	checkRules(sha256, proof, record);
	const { checkpoint, note } = checkLog(sha256, proof);
	const signed = await checkSignature(primitives, note, checkpoint, known.vkeys);
	const ratesChecked = proof.rules !== void 0;
	const carried = known.from === void 0 ? proof.opened : null;
	return {
		ok: true,
		text: [
			`OK ${chained.n} entries`,
			`balance ${cordText(chained.balanceMicro)}`,
			...carried ? [`of which ${cordText(BigInt(carried.balance))} brought along`] : [],
			`root ${record.root.slice(0, ROOT_SHOWN)}`,
			`${chained.recomputed} recomputed`,
			...ratesChecked ? [] : ["rates not checked"],
			...signed ? [] : ["signature not checked"]
		].join(", "),
		account,
		entries: chained.n,
		balanceMicro: chained.balanceMicro,
		recomputed: chained.recomputed,
		ratesChecked,
		record,
		checkpoint,
		signed,
		covered,
		newest: {
			n: newest.n,
			head: newest.head
		}
	};
}
/** @throws Mismatch for what is no proof of version 1 */
function readFile$1(file) {
	const { version, account, opened, entries, leaf, index, path, record, tlog, rules } = file ?? {};
	const refuse = (what) => new Mismatch("file", what);
	if (version !== 1) throw refuse("it is no proof of version 1");
	if (typeof account !== "string" || account === "") throw refuse("account is no text");
	const carried = readCarried(opened);
	if (carried === false) throw refuse("opened is neither null nor a carried balance");
	if (!Array.isArray(entries)) throw refuse("entries is no list");
	if (!isLeaf(leaf)) throw refuse("leaf has no known form");
	if (typeof index !== "number") throw refuse("index is no number");
	if (!Array.isArray(path) || !path.every(isPair)) throw refuse("path is no list of sums and hashes");
	if (typeof record !== "string") throw refuse("record is no text");
	if (typeof tlog !== "string") throw refuse("tlog is no text");
	if (rules !== void 0 && typeof rules !== "string") throw refuse("rules is no text");
	return {
		version,
		account,
		opened: carried,
		entries,
		leaf,
		index,
		path,
		record,
		tlog,
		rules
	};
}
function isLeaf(leaf) {
	const { day, account, n, head, sum, who, salt } = leaf ?? {};
	return [
		day,
		account,
		head,
		who,
		salt
	].every((text) => typeof text === "string") && isWhole(n) && isWhole(sum);
}
const isWhole = (text) => typeof text === "string" && /^(0|[1-9]\d{0,18})$/.test(text);
function isPair(pair) {
	const [sum, hash, ...more] = Array.isArray(pair) ? pair : [];
	const isHash = typeof hash === "string" && fromBase64(hash, 32) !== null;
	return more.length === 0 && typeof sum === "string" && /^(0|-?[1-9]\d{0,19})$/.test(sum) && isHash;
}
/** How many entries, of any shape, stand before the first one of after the day: the leaf has those of up to its scan. */
function entriesOfDay({ entries, leaf }) {
	const endMs = endOfDay(leaf.day);
	const after = entries.findIndex((entry) => Number(entry?.at) >= endMs);
	return after < 0 ? entries.length : after;
}
/** @throws Mismatch that names the first entry that does not hold */
function follow(sha256, account, before, entries) {
	const after = followEntries(sha256, account, before, entries);
	if ("what" in after) throw new Mismatch("entry", after.what, after.n);
	return after;
}
/** What was seen once stays: the ledger may have grown since, never shrunk or changed. */
function checkSeen(entries, seen, left) {
	const now = entries.find(({ n }) => n === String(seen.n));
	if (!now) throw new Mismatch("entry", `${seen.n} entries were seen before, ${left} are left`, String(left + 1));
	if (now.hash !== seen.head) throw new Mismatch("entry", "it is not the entry that was seen before", now.n);
}
function checkLeaf({ account, leaf }, { n, head, balanceMicro }) {
	if (leaf.account !== account) throw new Mismatch("leaf", `it is of account ${leaf.account}`);
	if (leaf.n !== String(n)) throw new Mismatch("leaf", `it covers ${leaf.n} entries, ${n} are here`);
	if (leaf.head !== head) throw new Mismatch("leaf", "its head is not the hash of the last entry");
	if (leaf.sum !== String(balanceMicro)) throw new Mismatch("leaf", `its sum is ${leaf.sum}, the entries make ${balanceMicro}`);
}
function checkTree(sha256, { leaf, index, path }, { accounts, total, root }) {
	const siblings = path.map(([sum, hash]) => ({
		sum: BigInt(sum),
		hash: bytesOf(hash)
	}));
	const top = inRange(() => rootOfPath(leafNode(sha256, leaf), index, accounts, siblings, sumJoin(sha256)));
	if (!top) throw new Mismatch("tree", `no path of ${path.length} steps leads from leaf ${index} of ${accounts}`);
	if (toBase64(top.hash) !== root) throw new Mismatch("tree", "the path does not lead to the root of the day");
	if (top.sum !== total) throw new Mismatch("tree", `the path makes a total of ${top.sum}, the record has ${total}`);
}
function inRange(compute) {
	try {
		return compute();
	} catch (error) {
		if (error instanceof RangeError) throw new Mismatch("tree", error.message);
		throw error;
	}
}
/** The rules are those that the record pins, and allow the rate of each mining entry. A file without them is checked without. */
function checkRules(sha256, { rules: text, entries }, record) {
	if (text === void 0) return;
	if (toBase64(sha256(utf8(text))) !== record.rules) throw new Mismatch("rules", "they are not those of the record");
	const rules = readRules(text, record.day);
	if (!rules) throw new Mismatch("rules", "they have no known form");
	const faultOf = rateFaults(rules, record.day);
	for (const entry of entries) {
		const fault = faultOf(entry);
		if (fault !== null) throw new Mismatch("entry", fault, entry.n);
	}
}
/** What was read as base64 before. */
const bytesOf = (text) => fromBase64(text) ?? /* @__PURE__ */ new Uint8Array(0);
function checkLog(sha256, { record, tlog }) {
	const proof = readTlogProof(tlog);
	const note = proof && readNote(proof.checkpoint);
	const checkpoint = note && readCheckpoint(note.text);
	if (!proof || !note || !checkpoint) throw new Mismatch("log", "the proof of the log has no known form");
	const { index, path } = proof;
	const top = rootOfPath(recordHash(sha256, utf8(record)), index, checkpoint.size, path, logJoin(sha256));
	if (!top) throw new Mismatch("log", `no path of ${path.length} steps leads from record ${index} of ${checkpoint.size}`);
	if (!sameBytes(top, checkpoint.root)) throw new Mismatch("log", "the record of the day is not in the log");
	return {
		note,
		checkpoint
	};
}
async function checkSignature(primitives, note, { origin }, vkeys) {
	if (vkeys === void 0) return false;
	const keys = vkeys.map((vkey) => readVkey(primitives.sha256, vkey));
	if (!keys.every((key) => key !== null)) throw new Mismatch("signature", "the key of the log has no known form");
	const signed = await signers(primitives, note, keys);
	if (signed === false) throw new Mismatch("signature", "the signature of a key of the log is wrong");
	if (!signed.some(({ name }) => name === origin)) throw new Mismatch("signature", "no key of the log has signed the checkpoint");
	return true;
}
/** `62000.5` of micro-CORD. */
function cordText(micro) {
	const [whole, rest] = [micro / MICRO, micro % MICRO];
	return rest === 0n ? String(whole) : `${whole}.${String(rest).padStart(6, "0").replace(/0+$/, "")}`;
}
// services/contracts/proof/verify-file.ts
/** Of a raw key of Ed25519, what makes it a key as OpenSSL reads it (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
/** Cryptography of Node. */
const NODE_PRIMITIVES = {
	sha256: (data) => createHash("sha256").update(data).digest(),
	ed25519(key, message, signature) {
		const der = {
			key: Buffer.concat([SPKI, key]),
			format: "der",
			type: "spki"
		};
		return verify(null, message, createPublicKey(der), signature);
	}
};
const USAGE = "node verify.mjs FILE --vkey KEY... | --unsigned [--policy FILE] [--log URL] [--rpc URL --memo-signer ADDRESS]";
const ANSWER_MS_MAX = 1e4;
/**
* The command `verify`: prints what the page shows.
* @param args FILE, keys of the log, of which one must have signed, or `--unsigned`; a policy (C2SP tlog-policy) whose witnesses must have signed the
* checkpoint of the file; the address of the log, whose records must make the checkpoint; a node of Solana and the account whose memo there must have it
* @returns its exit code: 0 where the proof holds; 1 where it does not or could not be checked, or its signature was not checked without `--unsigned`
*/
async function verifyFile(args) {
	try {
		const text = { type: "string" };
		const options = {
			vkey: {
				...text,
				multiple: true
			},
			unsigned: { type: "boolean" },
			policy: text,
			log: text,
			rpc: text,
			"memo-signer": text
		};
		const { positionals, values } = parseArgs({
			args: [...args],
			options,
			allowPositionals: true
		});
		const [file, ...more] = positionals;
		const { log, rpc, "memo-signer": signer } = values;
		if (file === void 0 || more.length > 0 || rpc === void 0 !== (signer === void 0)) throw new Error(`usage: ${USAGE}`);
		const { sha256 } = NODE_PRIMITIVES;
		const policy = values.policy === void 0 ? null : readPolicy(sha256, await readFile(values.policy, "utf8"));
		const proof = JSON.parse(await readFile(file, "utf8"));
		const vkeys = [...values.vkey ?? [], ...policy?.logs ?? []];
		const verdict = await verifyProof(NODE_PRIMITIVES, proof, vkeys.length === 0 ? {} : { vkeys });
		let fault = null;
		if (verdict.ok && policy) {
			const note = readNote(readTlogProof(proof.tlog)?.checkpoint ?? "") ?? {
				text: "",
				signatures: []
			};
			const what = await policyFault(NODE_PRIMITIVES, note, policy);
			fault = what && `MISMATCH witnesses: ${what}`;
		}
		let memos = [];
		let keptMs = 0;
		let later = null;
		if (verdict.ok && fault === null && rpc && signer) {
			const solana = solanaRpc(rpc);
			const { size, origin } = verdict.checkpoint;
			memos = await memosOf(solana, {
				signer,
				origin
			});
			const anchor = {
				signer,
				program: MEMO_PROGRAM
			};
			const what = memoFault(checkpointText(verdict.checkpoint), memos, anchor);
			later = what === null ? null : laterMemo(size, memos, anchor);
			const { atMs } = what !== null && !memos.some(({ text }) => readCheckpoint(text)?.size === size) && !later ? await keptFrom(solana) : { atMs: 0 };
			if (atMs > endOfDay(verdict.record.day)) keptMs = atMs;
			else fault = what && !later ? `MISMATCH memo: ${what}` : null;
		}
		const last = verdict.ok ? later ?? verdict.checkpoint : null;
		const { seen, others } = comparable(memos, last && log !== void 0 ? last.size : 0);
		let begun = null;
		if (verdict.ok && last && fault === null && log !== void 0) {
			const note = readTlogProof(proof.tlog)?.checkpoint ?? "";
			const found = await readLogAt(log, verdict.checkpoint, {
				last,
				seen,
				note,
				vkeys
			});
			fault = found.fault && `MISMATCH log: ${found.fault}`;
			begun = found.begun;
		}
		process.stdout.write(`${fault ?? verdict.text}\n`);
		if (!verdict.ok || fault !== null) return 1;
		if (begun !== null) throw new Error(begun);
		if (keptMs > 0) {
			const since = new Date(keptMs).toISOString();
			throw new Error(`The node of Solana keeps nothing from before ${since}: give one that has all of it.`);
		}
		if (later && log === void 0) throw new Error("The checkpoint of the file is not on Solana (later memos exist): give the address of the log with --log.");
		if (others > 0) {
			const why = log === void 0 ? "give its address with --log" : "they are newer than the file";
			process.stderr.write(`${others} other memos of this log were not compared: ${why}.\n`);
		}
		if (verdict.signed || values.unsigned === true) return 0;
		process.stderr.write("The signature was not checked: give the key of the log with --vkey, or --unsigned.\n");
		return 1;
	} catch (error) {
		process.stderr.write(`${error.message}\n`);
		return 1;
	}
}
/** The checkpoints of memos that a log of some size must go on from, and how many others there are beside that of the file. */
function comparable(memos, size) {
	const all = memos.map(({ text }) => readCheckpoint(text)).filter((one) => one !== null);
	const seen = all.filter((one) => one.size <= size);
	return {
		seen,
		others: Math.max(0, all.length - Math.max(1, seen.length))
	};
}
/** The log has no such file. */
var NotThere = class extends Error {};
/**
* The log at an address, up to the last of the checkpoints: its records make the root, go on from what was seen, have each day once, and the last key up to
* the checkpoint has signed that one. Of a log that was begun anew its first record names that of the checkpoint.
* @param last the checkpoint itself, or a later one that stands on Solana in place of it
*/
async function readLogAt(url, checkpoint, { last, seen, note, vkeys }) {
	const { sha256 } = NODE_PRIMITIVES;
	const address = url.replace(/\/$/, "");
	const read = async (path) => {
		const answer = await fetch(`${address}/${path}`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
		if (answer.status === 404) throw new NotThere(`${path} of the log answered 404`);
		if (!answer.ok) throw new Error(`${path} of the log answered ${answer.status}`);
		return new Uint8Array(await answer.arrayBuffer());
	};
	const { origin } = checkpoint;
	const now = checkpointOf(new TextDecoder().decode(await read("checkpoint")));
	if (now !== null && now.origin !== origin) {
		const [first] = await readRecords(Math.min(1, now.size), read);
		const record = begunAfter(checkpoint, now, first ? recordText(first) : "");
		if (record === null) return {
			fault: `the one at this address is ${now.origin}, which does not name ${origin} as before it`,
			begun: null
		};
		return {
			fault: null,
			begun: `The log at this address is another one, begun anew at ${new Date(record.atMs).toISOString()}: ${record.reason}. The records of ${origin} were not compared; ${address}/keys has its keys as "former".`
		};
	}
	const records = await readRecords(last.size, read).catch((error) => {
		if (!(error instanceof NotThere) || now === null || now.size >= last.size) throw error;
		return null;
	});
	if (records === null) return {
		fault: now && historyFault(sha256, last, now, []),
		begun: null
	};
	const hashes = records.map((record) => recordHash(sha256, record));
	const texts = records.map(recordText);
	return {
		fault: logFault(sha256, hashes, last, [checkpoint, ...seen]) ?? dayRecordsFault(texts) ?? await keyFault(texts.slice(0, checkpoint.size), note, vkeys),
		begun: null
	};
}
/** Whether the key of the last record of a key is one of the known keys and has signed: one that was rotated out signs nothing by itself. */
async function keyFault(records, note, vkeys) {
	const vkey = signingKey(records, "");
	if (vkeys.length === 0 || vkey === "") return null;
	const known = vkeys.filter((one) => one === vkey);
	return await signedCheckpoint(NODE_PRIMITIVES, note, known) ? null : "the key of its last record of a key has not signed";
}
// services/contracts/proof/main.ts
process.exitCode = await verifyFile(process.argv.slice(2));
export {};
