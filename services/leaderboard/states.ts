import { ranksClosed } from '@cord/contracts/events/ranks';
import { type StreamSources, stateSource } from '@cord/kit/republish';
import { CLOSINGS, type ClosingDocument, closedItems } from './closings.js';

/** What stands in the stream of ranks: the day that was closed last. */
export const rankStates: StreamSources = {
  CORD_RANKS: [stateSource<ClosingDocument>({ collection: CLOSINGS, kinds: [ranksClosed], tell: closedItems })],
};
