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

/** An account of whom only the random id is left. */
export interface ErasureDoc {
  _id: string;
  atMs: number;
}

/** What the databases hold of one user. Entries are in the order of their seq, sessions in that of their starts; neither is ever whole in memory. */
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

/** Where the books are read from: the databases of a system, or what stands for them. */
export interface BooksSource {
  /** All users, each once. The streams of one user are read before the next user comes. */
  users(): AsyncIterable<UserBooks>;
  /** One user anew: claims first, then the account, then the entries, so that what a claim refers to is in what is read after it. */
  user(userId: string): Promise<UserBooks>;
  /** seq of an account as it stands now; null where there is none. */
  seqOf(userId: string): Promise<bigint | null>;
  epochs(): Promise<EpochsDoc | null>;
}
