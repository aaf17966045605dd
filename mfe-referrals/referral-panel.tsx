import { normaliseCode } from '@cord/contracts/rules/codes';
import { Loaded, type PartProps, useDraft, useSessionValue, useTexts, withNodes } from '@cord/sdk';
import { Button, Card, CopyField, Fact, formatCord, formatCount, Input, Row, SkeletonRegion, Stack } from '@cord/ui';
import { UserCheck } from 'lucide-react';
import type { FormEvent } from 'react';
import { EarningsWhy } from './earnings-why';
import { nameOf } from './name-of';
import { PendingCode } from './pending-code';
import s from './referral-panel.module.css';
import { TEXTS } from './texts';
import { type EnterCode, failedText, type ReferralStats, useEnterCode, useReferralStats } from './use-referrals';

const LOADING = <SkeletonRegion heights={[180]} />;

/**
 * Referrals on the dashboard in four variants: (a) a referred user sees the referrer; (b) a user with a code and no referrer
 * can enter a friend's; (c) a user with a code sees it with its count; (d) otherwise a notice that codes will come.
 */
export function ReferralPanel(_props: PartProps) {
  const t = useTexts(TEXTS);
  const read = useReferralStats();
  const { data } = read;
  const ownCode = useSessionValue(({ user }) => user?.referralCode ?? '');
  const invitedBy = useSessionValue(({ user }) => user?.referred_by ?? null);
  const entry = useEnterCode();
  if (data === undefined) {
    return (
      <Card title={t.panelOwn}>
        <Loaded query={read} failed={t.failed} failedText={failedText(t, read.error)} loading={LOADING}>
          {() => null}
        </Loaded>
      </Card>
    );
  }
  const code = data.referralCode || ownCode;
  const referrer = data.referredBy?.username ?? invitedBy;
  if (code === '') {
    return (
      <Card title={t.panelSoon}>
        <p className="t-body c-2">{t.panelSoonText}</p>
      </Card>
    );
  }
  return (
    <Card title={referrer === null ? t.panelFriendCode : t.panelOwn} className={s.card}>
      <CodeSuccess entry={entry} />
      {referrer === null ? (
        <FriendCode stats={data} code={code} entry={entry} />
      ) : (
        <Referred stats={data} code={code} by={referrer} />
      )}
    </Card>
  );
}

interface Known {
  stats: ReferralStats;
  code: string;
  entry: EnterCode;
}

/** (b) with the user's own code of (c) below it. */
function FriendCode({ stats, code, entry }: Known) {
  const t = useTexts(TEXTS);
  return (
    <>
      <p className="t-body c-2">{t.panelFriendText}</p>
      <PendingCode stats={stats} />
      {entry.success === null && <CodeForm entry={entry} />}
      <div className={s.rule} />
      <p className="t-label">{t.ownCodeSmall}</p>
      <CopyField label={t.codeLabel} value={code} code copyText={t.copy} copiedText={t.copied} />
      <p className="t-body c-2">{t.panelCount({ count: stats.totalReferrals })}</p>
    </>
  );
}

/** (c) with (a) as its last line. */
function Referred({ stats, code, by }: Omit<Known, 'entry'> & { by: string }) {
  const t = useTexts(TEXTS);
  const listed = stats.referralHistory;
  const waiting = listed.filter(({ bonusStatus }) => bonusStatus === 'pending').length;
  // The state of unlisted friends is unknown.
  const isWhole = listed.length >= stats.totalReferrals;
  return (
    <>
      <CopyField label={t.codeLabel} value={code} code copyText={t.copy} copiedText={t.copied} />
      <p className="t-body c-2">{t.panelCount({ count: stats.totalReferrals })}</p>
      <Stack as="dl">
        <Fact
          name={
            <Row as="span" gap={6} align="center">
              {t.panelEarned}
              <EarningsWhy stats={stats} about={t.panelEarned} />
            </Row>
          }
        >
          {formatCord(stats.totalEarnings)}
        </Fact>
        {waiting > 0 && (
          <Fact name={t.panelWaiting}>
            {isWhole ? formatCount(waiting) : t.atLeast({ count: formatCount(waiting) })}
          </Fact>
        )}
      </Stack>
      <p className={s.by}>
        <UserCheck size={18} />
        <span>{withNodes(t.panelInvitedBy, { name: <strong>{nameOf(t, by)}</strong> })}</span>
      </p>
    </>
  );
}

const CODE_MOST = 32;
const NOTHING = { code: '' };

/**
 * Field for a friend's code, shown in capitals. It is normalised on submit, since a change while typing would move
 * the caret. The input stays until a code is accepted.
 */
function CodeForm({ entry }: { entry: EnterCode }) {
  const t = useTexts(TEXTS);
  const draft = useDraft('referral-code', NOTHING);
  const typed = draft.typed.code;
  const { submit, processing, error } = entry;
  const blank = typed.trim() === '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(normaliseCode(typed));
  };
  return (
    <Stack as="form" gap={12} onSubmit={onSubmit} noValidate>
      <Input
        label={t.inputLabel}
        placeholder={t.inputHint}
        code
        className={s.field}
        maxLength={CODE_MOST}
        autoCapitalize="characters"
        value={typed}
        onChange={(event) => draft.type({ code: event.target.value })}
        error={error}
      />
      <Button
        type="submit"
        needsServer
        block
        disabled={blank}
        disabledReason={t.submitBlank}
        loading={processing}
        loadingText={t.submitting}
      >
        {t.submit}
      </Button>
    </Stack>
  );
}

/** Result of the accepted code; it stays when the panel changes to that of a referred user. */
function CodeSuccess({ entry: { success } }: { entry: EnterCode }) {
  return <div role="status">{success !== null && <p className={s.success}>{success}</p>}</div>;
}
