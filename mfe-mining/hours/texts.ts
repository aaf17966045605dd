import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Texts of the hours of a day, and of the hour of a ledger entry. */
export const HOURS_TEXTS = defineTexts('mining-hours', {
  title: 'Hour by hour',
  show: 'Show',
  hide: 'Hide',
  showOf: params('Show the hours of {day}'),
  hideOf: params('Hide the hours of {day}'),
  intro: params('The node ran {ran} and mined {amount} CORD. Times are in UTC.'),
  earlier: 'Day before',
  later: 'Day after',
  hour: 'Hour, UTC',
  why: 'What happened',
  mined: 'Mined, CORD',

  loading: 'Loading the hours',
  failed: 'The hours could not be loaded',
  failedText: 'Your node and balance are not affected.',
  missing: params('Some reasons are missing: CORD could not read {what}. Times and amounts are complete.'),
  'missing.network': 'the network check',
  'missing.sign-ins': 'when you were signed in',
  'missing.outages': 'its outages',
  missingMore: params('{list} and {last}'),
  again: 'Try again',

  span: params('{from} to {to}: {text}'),
  ran: params('Ran at {rate} CORD/min, since {since}.'),
  ranRates: params('Ran at more than one rate, since {since}.'),
  network: params(
    'The network check reduced the rate to {percent}%: {accounts} accounts mined from your network address.',
  ),
  networkOnly: params('The network check reduced the rate to {percent}%.'),
  'lease-over': params('Not running since {since}: nobody came back for 8 hours.'),
  stopped: params('Not running since {since}: it was stopped.'),
  'not-started': 'Not running: it had not been started yet.',
  'no-sign-in': params('Not running: you had been signed out everywhere since {since}.'),
  outage: params('Not running: CORD was out of service from {since} to {until}. That was our fault.'),
  outageNow: params('Not running: CORD has been out of service since {since}. That is our fault.'),
  'before-joined': 'Before you joined.',
  'to-come': 'Still to come.',
  'many-changes': params('Started and stopped many times. It ran {ran}.'),
  /** For a reason of a newer release. */
  other: 'Not running.',
});
