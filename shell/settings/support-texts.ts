import { defineTexts, params, plural } from '@cord/sdk';

/** Support, appeals and the network check in Settings (decisions, Priority support; Anti-cheat). */
export const SUPPORT_TEXTS = defineTexts('settings.support', {
  title: 'Support',
  intro: 'Ask us anything. Answers stand below.',
  priority: 'Priority support',
  priorityText: 'You hold the Badge of Honor: your requests are answered first.',
  subject: 'Subject',
  text: 'What is it about?',
  left: plural({ one: '{count} character left', other: '{count} characters left' }),
  tooShort: params('At least {least} characters.'),
  send: 'Send',
  sendAppeal: 'Send appeal',
  sending: 'Sending',
  failed: 'Your request could not be sent. Please try again.',
  sent: 'Request sent',
  sentText: 'The answer will stand here in Settings.',

  requests: 'Your requests',
  requestsFailed: 'Your requests could not be loaded',
  noRequests: 'You have not asked anything yet.',
  filed: params('{kind}, {day}'),
  answer: params('Answer of {day}'),
  'kinds.support': 'Support',
  'kinds.appeal': 'Appeal',
  'kinds.refund': 'Refund',
  'statuses.open': 'Waiting',
  'statuses.answered': 'Answered',
  'statuses.closed': 'Closed',

  network: 'Network check',
  networkFailed: 'The network check could not be loaded',
  networkClean: 'No other account mined from your network address in the last 30 days.',
  checked: params('Checked {day}, {time}.'),
  appeal: 'Appeal',
  appealWaits: 'Appeal waiting',
  appealTitle: 'Appeal the network check',
  appealText:
    'Tell us who else uses your network, such as family, a school or an office. Somebody reads it and answers here.',
  appealSubject: 'Appeal: my network is shared',
  appealSent: 'Appeal sent',
});
