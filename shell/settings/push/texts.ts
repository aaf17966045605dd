import { defineTexts, params } from '@cord/sdk';

/** Texts of push devices and quiet hours (the visual language of the next screens, Notifications). */
export const PUSH_TEXTS = defineTexts('settings-push', {
  devices: 'Push on this device',
  devicesText: 'Each browser asks you once.',
  devicesFailed: 'Your devices could not be loaded',
  thisBrowser: 'This browser',
  allowed: params('Allowed on {day}.'),
  allowedAndSent: params('Allowed on {day}. Last message {when}.'),
  notYet: 'Not turned on here.',
  unable: 'This browser does not support push notifications.',
  blocked: 'Blocked in the browser. Allow notifications for this site in its settings, then turn this on.',
  warn: 'Warn me before the node pauses',
  warnText: 'One message to this device, 1 hour before, with an Extend button. Never more than one for each pause.',
  warnFailed: 'This setting could not be loaded',
  test: 'Send a test',
  remove: 'Remove',
  removeNamed: params('Remove {device}'),
  notOn: 'Push is not on',
  notRemoved: 'The device was not removed',
  notTested: 'The test was not sent',
  quiet: 'Quiet hours',
  quietHelp: params('No push from {from} to {to}, your time, except when your node is about to pause.'),
  quietFrom: 'From',
  quietTo: 'To',
});
