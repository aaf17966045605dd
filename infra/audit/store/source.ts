import type { AssessmentDoc } from '../../../services/auth/anticheat/assessments.js';
import type { UserDoc } from '../../../services/auth/domain/user-doc.js';
import type {
  AccountDoc,
  CorrectionDoc,
  DayDoc,
  EntryDoc,
  EpochsDoc,
  SessionDoc,
} from '../../../services/mining/store/collections.js';
import type { Member } from '../../../services/referrals/member.js';
import type { HolderDocument } from '../../../services/rewards/store.js';
import type { RecordDocument, StreakDocument } from '../../../services/tasks/store.js';

/** An erased account, of which only the random id is left. */
export interface ErasureDoc {
  _id: string;
  atMs: number;
}

/** All data of one user. Entries are sorted by seq, sessions by start; neither is ever completely in memory. */
export interface UserBooks {
  userId: string;
  user: UserDoc | null;
  erasure: ErasureDoc | null;
  assessment: AssessmentDoc | null;
  record: RecordDocument | null;
  streak: StreakDocument | null;
  holder: HolderDocument | null;
  member: Member | null;
  account: AccountDoc | null;
  corrections: CorrectionDoc[];
  days: DayDoc[];
  sessions: AsyncIterable<SessionDoc>;
  entries: AsyncIterable<EntryDoc>;
}

/** The source of the books: a system's databases, or a substitute. */
export interface BooksSource {
  /** Returns all users, each once. A user's streams must be read before the next user. */
  users(): AsyncIterable<UserBooks>;
  /** Reads one user again: claims first, then the account, then the entries, so that whatever a claim refers to is read after it. */
  user(userId: string): Promise<UserBooks>;
  /** Returns the current seq of an account; null without one. */
  seqOf(userId: string): Promise<bigint | null>;
  epochs(): Promise<EpochsDoc | null>;
}
