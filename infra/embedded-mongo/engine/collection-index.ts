import { toDouble } from '../bson/numbers.js';
import { type Doc, type Int32, int, isNumber, type Value } from '../bson/values.js';
import type { MongoError } from '../errors.js';
import { parseFilter } from '../query/parse.js';
import { fieldPath } from '../query/path.js';
import type { Predicate } from '../query/predicates.js';
import { type IndexKeys, indexKeys, type KeyField, NO_KEYS } from './index-keys.js';
import { describeIndex, type IndexSpec, parseIndexSpec } from './index-spec.js';

/** One index: its specification, and the properties derived from its documents. */
export class CollectionIndex {
  readonly id: number;
  readonly spec: IndexSpec;
  readonly fields: readonly KeyField[];
  readonly partial: Predicate | undefined;
  /** Key fields that have ever contained an array: their scans can neither combine bounds nor give an order. */
  multikey: Set<number>;
  /** Some key was truncated: the index gives no order, and its ranges include truncated keys at their edges. */
  hasCutKeys: boolean;
  /** The index is updated by writes but not yet complete, so no plan may use it. */
  building: boolean;
  /** Two documents had the same unique key during the build, so the build fails. */
  clash: MongoError | undefined;

  constructor(id: number, spec: IndexSpec, state: { multikey: number[]; hasCutKeys: boolean; building: boolean }) {
    this.id = id;
    this.spec = spec;
    this.fields = [...spec.key].map(([name, order]) => ({
      path: fieldPath(name),
      descending: isNumber(order) && toDouble(order) < 0,
    }));
    this.partial = spec.partialFilter === undefined ? undefined : parseFilter(spec.partialFilter);
    this.multikey = new Set(state.multikey);
    this.hasCutKeys = state.hasCutKeys;
    this.building = state.building;
  }

  keysOf(document: Doc): IndexKeys {
    if (this.partial !== undefined && !this.partial.test(document)) return NO_KEYS;
    return indexKeys(document, this.fields, this.spec.sparse);
  }

  /** Updates the properties from a document's keys. Returns true if the catalogue must be saved. */
  note(found: IndexKeys): boolean {
    const before = this.multikey.size;
    for (const place of found.multikey) this.multikey.add(place);
    const cut = found.cut && !this.hasCutKeys;
    if (cut) this.hasCutKeys = true;
    return cut || this.multikey.size > before;
  }

  /** The document's values behind this key, for a message. */
  valuesBehind(document: Doc, key: Buffer): (Value | undefined)[] {
    const found = indexKeys(document, this.fields, false);
    const place = found.keys.findIndex((other) => other.equals(key));
    return found.rows[place] ?? [];
  }

  /** Adopts the state on disk after a rollback. A clash stays, because its write may have been committed. */
  become({ multikey, hasCutKeys, building }: CollectionIndex): this {
    Object.assign(this, { multikey, hasCutKeys, building });
    return this;
  }

  describe(): Doc {
    return new Map<string, Value>([
      ['id', int(this.id)],
      ['spec', describeIndex(this.spec)],
      ['unique', this.spec.unique],
      ['multikey', [...this.multikey].map(int)],
      ['cut', this.hasCutKeys],
      ['building', this.building],
    ]);
  }

  static restore(saved: Doc): CollectionIndex {
    const shown = new Map(saved.get('spec') as Doc);
    shown.delete('v');
    const spec = { ...parseIndexSpec(shown), unique: saved.get('unique') === true };
    return new CollectionIndex((saved.get('id') as Int32).value, spec, {
      multikey: (saved.get('multikey') as Int32[]).map((place) => place.value),
      hasCutKeys: saved.get('cut') === true,
      building: saved.get('building') === true,
    });
  }
}
