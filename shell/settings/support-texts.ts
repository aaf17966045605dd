import { defineTexts, params, plural } from '@cord/sdk';

/** Texts of support, appeals and the network check in Settings. */
export const SUPPORT_TEXTS = defineTexts('settings.support', {
  title: 'Support',
  intro: 'Ask us anything. Replies appear below.',
  priority: 'Priority support',
  priorityText: 'You have the Badge of Honor, so your requests are answered first.',
  subject: 'Subject',
  text: 'What is it about?',
  left: plural({ one: '{count} character left', other: '{count} characters left' }),
  tooShort: params('At least {least} characters.'),
  send: 'Send',
  sendAppeal: 'Send appeal',
  sending: 'Sending',
  failed: 'Your request could not be sent. Please try again.',
  sent: 'Request sent',
  sentText: 'You will find our reply here in Settings.',

  requests: 'Your requests',
  requestsFailed: 'Your requests could not be loaded',
  noRequests: 'You have not sent us anything yet.',
  filed: params('{kind}, {day}'),
  answer: params('Reply of {day}'),
  'kinds.support': 'Support',
  'kinds.appeal': 'Appeal',
  'kinds.refund': 'Refund',
  'statuses.open': 'Waiting',
  'statuses.answered': 'Answered',
  'statuses.closed': 'Closed',

  appeal: 'Appeal',
  appealWaits: 'Appeal waiting',
  appealTitle: 'Appeal the network check',
  appealText:
    'Tell us who else uses your network, such as family, a school or an office. We will read it and reply here.',
  appealSubject: 'Appeal: my network is shared',
  appealSent: 'Appeal sent',
});
