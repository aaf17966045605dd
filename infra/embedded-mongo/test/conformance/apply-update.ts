import { expect } from 'vitest';
import { BSON, codeOf, type useServer } from '../harness.js';

const { Int32 } = BSON;

/** Applies one update to one document and gives the whole document afterwards, or the code of the refusal. */
export type Apply = (before: object, update: object, options?: object, filter?: object) => Promise<unknown>;

export function applyOn(server: ReturnType<typeof useServer>): Apply {
  return async (before, update, options = {}, filter = { _id: 1 }) => {
    const collection = await server.fresh([{ _id: 1, ...before }]);
    const code = await codeOf(collection.updateOne(filter, update as never, options));
    if (code === 'no error') return collection.findOne({}, { projection: { _id: 0 } });
    // A refused update changes nothing.
    const left = await collection.findOne({ _id: 1 as never }, { promoteValues: false });
    const asText = (document: unknown) => BSON.EJSON.stringify(document, { relaxed: false });
    expect(asText(left)).toBe(asText({ _id: new Int32(1), ...before }));
    return code;
  };
}
