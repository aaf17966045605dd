import { compare } from '../bson/compare.js';
import { keyOf } from '../bson/key.js';
import { arithmetic, toDouble } from '../bson/numbers.js';
import { Decimal128, Double, Int32, isNumber, type NumberValue, type Value } from '../bson/values.js';
import { addNumbers } from './operators-arithmetic.js';

/** Takes a group's values one by one. */
export interface Accumulator {
  add: (value: Value | undefined) => void;
  result: () => Value;
}

/** Doubles are added with the rounding error kept apart (Kahan-Neumaier), integers exactly. */
class Sum {
  private exact: NumberValue = new Int32(0);
  private floating = 0;
  private lost = 0;
  private sawDouble = false;
  private sawDecimal = false;
  count = 0;

  add(value: Value | undefined): void {
    if (!isNumber(value)) return;
    this.count++;
    if (!(value instanceof Double)) {
      if (value instanceof Decimal128) this.sawDecimal = true;
      this.exact = addNumbers(this.exact, value);
      return;
    }
    this.sawDouble = true;
    const next = this.floating + value.value;
    if (Number.isFinite(next)) {
      this.lost +=
        Math.abs(this.floating) >= Math.abs(value.value)
          ? this.floating - next + value.value
          : value.value - next + this.floating;
    }
    this.floating = next;
  }

  result(): NumberValue {
    if (!this.sawDouble) return this.exact;
    const floating = new Double(this.floating + this.lost);
    if (this.sawDecimal) return arithmetic('+', this.exact, floating, () => new Error('unreachable'));
    return new Double(toDouble(this.exact) + floating.value);
  }
}

const sum = (): Accumulator => new Sum();

function average(): Accumulator {
  const total = new Sum();
  return {
    add: (value) => total.add(value),
    result: () => (total.count === 0 ? null : new Double(toDouble(total.result()) / total.count)),
  };
}

const extreme = (isBetter: (order: number) => boolean) => (): Accumulator => {
  let best: Value | undefined;
  return {
    add: (value) => {
      if (value === undefined || value === null) return;
      if (best === undefined || isBetter(compare(value, best))) best = value;
    },
    result: () => best ?? null,
  };
};

function first(): Accumulator {
  let seen = false;
  let held: Value | undefined;
  return {
    add: (value) => {
      if (!seen) held = value;
      seen = true;
    },
    result: () => held ?? null,
  };
}

function last(): Accumulator {
  let held: Value | undefined;
  return {
    add: (value) => {
      held = value;
    },
    result: () => held ?? null,
  };
}

function push(): Accumulator {
  const all: Value[] = [];
  return {
    add: (value) => {
      if (value !== undefined) all.push(value);
    },
    result: () => all,
  };
}

function addToSet(): Accumulator {
  const set = new Map<string, Value>();
  return {
    add: (value) => {
      if (value === undefined) return;
      const key = keyOf(value).toString('latin1');
      if (!set.has(key)) set.set(key, value);
    },
    result: () => [...set.values()],
  };
}

/** Every accumulator of $group. */
export const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: sum,
  $avg: average,
  $min: extreme((order) => order < 0),
  $max: extreme((order) => order > 0),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
};
