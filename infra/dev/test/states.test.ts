import { SERVICES } from '@cord/contracts/endpoint';
import { kindName } from '@cord/contracts/events/envelope';
import { EVENTS } from '@cord/contracts/events/index';
import { streamOf } from '@cord/contracts/events/streams';
import type { DataPlan } from '@cord/kit/collection';
import { expect, test } from 'vitest';

test.each(SERVICES)(
  'the states of the collections of %s include each of its events, so a lost stream can be rebuilt',
  async (service) => {
    const { data }: { data: DataPlan } = await import(`../../../services/${service}/data.ts`);
    const kinds = data.flatMap(({ states = [] }) => states.flatMap((state) => state.kinds));
    const owned = EVENTS.filter(({ thing }) => streamOf(thing).owner === service);
    expect(kinds.map(kindName).sort()).toEqual(owned.map(kindName).sort());
  },
);
