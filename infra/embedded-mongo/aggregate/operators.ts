import type { Expression, OperatorSource } from './expression.js';
import { ARITHMETIC } from './operators-arithmetic.js';
import { ARRAYS } from './operators-array.js';
import { LOGIC } from './operators-logic.js';
import { TEXT_AND_TYPES } from './operators-text.js';

/** Every expression operator by name. */
export const EXPRESSIONS: ReadonlyMap<string, (source: OperatorSource) => Expression> = new Map([
  ...Object.entries(LOGIC),
  ...Object.entries(ARITHMETIC),
  ...Object.entries(ARRAYS),
  ...Object.entries(TEXT_AND_TYPES),
]);
