import { formatDate, Lazy, useSessionValue, useSettings, useTabView, useTexts, useUserId } from '@cord/sdk';
import {
  Avatar,
  Badge,
  formatAge,
  formatCord,
  formatMultiplier,
  Row,
  Spinner,
  Stack,
  Switch,
  TabErrorPanel,
  UNKNOWN,
} from '@cord/ui';
import { useIsMutating } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Activity } from 'react';
import { Area } from '../app/area';
import { RULES_PAGE, RULES_VIEW } from '../app/bundles';
import { CHECK_VIEW, LEDGER_CHECK } from '../app/lazy-files';
import { Place } from '../parts/place';
import { AccountActions } from './account-actions';
import { Appearance, Language } from './appearance';
import { DataManagement } from './data-management';
import { DATA_TEXTS } from './data-texts';
import { Known } from './known';
import { LANGUAGE_TEXTS } from './language-texts';
import { NoticeChoices } from './notice-choices';
import { NOTICE_CHOICE_TEXTS } from './notice-texts';
import { Section } from './section';
import { Anchor, SectionNav } from './section-nav';
import { Security } from './security';
import s from './settings.module.css';
import { Support } from './support';
import { SUPPORT_TEXTS } from './support-texts';
import { SETTINGS_TEXTS } from './texts';
import { SAVING, useSaveSettings } from './use-save-settings';

/** The settings, or in their place the ledger check or the rules: `?tab=settings&view=proof`, `view=rules`. */
export function Settings() {
  const t = useTexts(SETTINGS_TEXTS);
  const view = useTabView('view');
  const rules = view.value === RULES_VIEW;
  const open = rules || view.value === CHECK_VIEW;
  return (
    <>
      {rules && (
        <Lazy
          of={RULES_PAGE}
          part="settings/rules"
          props={{ onBack: view.close }}
          failed={(again) => <TabErrorPanel title={t.rulesFailed} {...again} />}
        />
      )}
      {open && !rules && (
        <Lazy
          of={LEDGER_CHECK}
          part="settings/ledger-check"
          props={{ view }}
          failed={(again) => <TabErrorPanel title={t.checkFailed} {...again} />}
        />
      )}
      <Activity mode={open ? 'hidden' : 'visible'}>
        <Sections />
      </Activity>
    </>
  );
}

/** Profile, appearance, mining, notifications, sessions, data, support and account, with links to each. */
function Sections() {
  const t = useTexts(SETTINGS_TEXTS);
  const sections = useSections();
  return (
    <div className={s.page}>
      <Row as="header" gap="8px 24px" align="flex-end" between wrap className={s.head}>
        <Stack gap={4}>
          <h1 className="t-h1">{t.title}</h1>
          <p className="c-2">{t.intro}</p>
        </Stack>
        <Saved />
      </Row>
      <SectionNav sections={[...sections, { id: 'actions', name: t.actions }]} />
      <div className={s.sections}>
        {sections.map(({ id, name, Body }) => (
          <Anchor key={id} id={id}>
            <Area card part={`settings/${id}`} name={name}>
              <Body />
            </Area>
          </Anchor>
        ))}
        <Place name="settings.section" />
        <Anchor id="actions">
          <Area card part="settings/actions" name={t.actions}>
            <AccountActions />
          </Area>
        </Anchor>
      </div>
    </div>
  );
}

/** Returns the shell's own sections, in order. */
function useSections() {
  const t = useTexts(SETTINGS_TEXTS);
  const { title: data } = useTexts(DATA_TEXTS);
  const { title: support } = useTexts(SUPPORT_TEXTS);
  const { title: notices } = useTexts(NOTICE_CHOICE_TEXTS);
  const { title: language } = useTexts(LANGUAGE_TEXTS);
  return [
    { id: 'profile', name: t.profile, Body: Profile },
    { id: 'appearance', name: t.appearance, Body: Appearance },
    { id: 'language', name: language, Body: Language },
    { id: 'mining', name: t.mining, Body: MiningConfiguration },
    { id: 'notices', name: notices, Body: NoticeChoices },
    { id: 'security', name: t.security, Body: Security },
    { id: 'data', name: data, Body: DataManagement },
    { id: 'support', name: support, Body: Support },
  ];
}

/** Save state; a refused change is reverted and shown in a toast. */
function Saved() {
  const t = useTexts(SETTINGS_TEXTS);
  const saving = useIsMutating({ mutationKey: SAVING }) > 0;
  return (
    <div role="status" data-testid="settings-saved">
      {saving ? (
        <Badge icon={<Spinner size={14} />}>{t.saving}</Badge>
      ) : (
        <Badge tone="live" icon={<Check size={16} />}>
          {t.saved}
        </Badge>
      )}
    </div>
  );
}

/** Auto-start, saved on the server. */
function MiningConfiguration() {
  const t = useTexts(SETTINGS_TEXTS);
  const saved = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  return (
    <Section title={t.mining} text={t.miningText}>
      <Known query={saved} failed={t.togglesFailed}>
        {(toggles) => (
          <Switch
            label={t.autoStart}
            help={t.autoStartHelp}
            needsServer
            checked={toggles.autoStart}
            onChange={(autoStart) => save.press({ autoStart })}
            testId="auto-start"
          />
        )}
      </Known>
    </Section>
  );
}

/** Profile data from Discord and the ledger. */
function Profile() {
  const t = useTexts(SETTINGS_TEXTS);
  const user = useSessionValue(({ user }) => user);
  if (user === null) return null;
  const facts = [
    [t.accountAge, formatAge(user.account_age)],
    [t.multiplier, formatMultiplier(user.multiplier)],
    [t.joined, formatDate(Date.parse(user.join_date))],
    [t.totalEarned, t.amount({ amount: formatCord(user.total_earned) })],
    [t.referralCode, user.referralCode ?? UNKNOWN],
    [t.badge, user.hasbadgeofhonor ? t.badgeOwned : <NotOwned key="badge" />],
  ] as const;
  return (
    <Section title={t.profile} text={t.profileText}>
      <Row gap={16} align="center">
        <Avatar name={user.username} src={user.avatar} size={56} />
        <p className="t-h3 t-break">{user.username}</p>
      </Row>
      <dl className={s.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="t-label">{label}</dt>
            <dd className="t-strong">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Shown without the badge, with a link to buy it. */
function NotOwned() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Row as="span" inline gap="2px 12px" wrap>
      {t.badgeNotOwned}
      <Place name="settings.profile" size="compact" />
    </Row>
  );
}
