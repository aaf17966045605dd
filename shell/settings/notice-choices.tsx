import { type NoticeKind, noticeChoice } from '@cord/contracts/rules/notices';
import { type TextsOf, useSettings, useStore, useTexts, useUserId } from '@cord/sdk';
import { ChipGroup, Skeleton, Switch, TabErrorPanel } from '@cord/ui';
import { opensByKey, setOpensByKey } from '../notices/open-key';
import { NOTICE_CHOICE_TEXTS } from './notice-texts';
import { Row, Section } from './section';
import { useSaveSettings } from './use-save-settings';

type Words = keyof TextsOf<typeof NOTICE_CHOICE_TEXTS>;

/** The kinds that are told, in the order of the visual language. */
const KINDS: readonly { kind: NoticeKind; name: Words; help: Words }[] = [
  { kind: 'node-paused', name: 'paused', help: 'pausedHelp' },
  { kind: 'streak-closing', name: 'streak', help: 'streakHelp' },
  { kind: 'friend-joined', name: 'friend', help: 'friendHelp' },
  { kind: 'commission', name: 'commission', help: 'commissionHelp' },
  { kind: 'payment', name: 'payment', help: 'paymentHelp' },
  { kind: 'support-answered', name: 'support', help: 'supportHelp' },
  { kind: 'epoch', name: 'epoch', help: 'epochHelp' },
  { kind: 'rank', name: 'rank', help: 'rankHelp' },
  { kind: 'security', name: 'signIn', help: 'signInHelp' },
];

/** Where each kind of notice is told, and the key that opens them. */
export function NoticeChoices() {
  const t = useTexts(NOTICE_CHOICE_TEXTS);
  const byKey = useStore(opensByKey);
  return (
    <Section title={t.title} text={t.text}>
      <Kinds />
      <Switch label={t.key} help={t.keyHelp} checked={byKey} onChange={setOpensByKey} testId="notices-key" />
    </Section>
  );
}

function Kinds() {
  const t = useTexts(NOTICE_CHOICE_TEXTS);
  const saved = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  if (saved.isError) {
    return <TabErrorPanel compact title={t.failed} retrying={saved.isFetching} onRetry={() => void saved.refetch()} />;
  }
  if (saved.data === undefined) return <Skeleton height={240} />;
  const { notices } = saved.data;
  return KINDS.map(({ kind, name, help }) => (
    <Row key={kind} title={t[name]} help={t[help]}>
      <ChipGroup
        label={t[name]}
        // What is pushed is in the app, too.
        value={noticeChoice(notices, kind) === 'off' ? 'off' : 'app'}
        options={[
          { value: 'app', label: t.app },
          { value: 'off', label: t.off },
        ]}
        onChange={(choice) => save.mutate({ notices: { [kind]: choice } })}
      />
    </Row>
  ));
}
