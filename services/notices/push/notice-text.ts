import { LEASE_MS } from '@cord/contracts/rules/timings';
import { lengthText, type NoticeText, type Reader, timeOfDay } from '../inbox/notice-text.js';
import { textsIn } from '../inbox/texts.js';

const MINUTE_MS = 60_000;

/** The warning one hour before a node pauses; it is in no list. */
export function pausingNotice(pausesAtMs: number, reader: Reader): NoticeText {
  const t = textsIn(reader.language);
  const left = lengthText(Math.max(MINUTE_MS, pausesAtMs - reader.nowMs));
  const until = timeOfDay(reader.nowMs + LEASE_MS, reader);
  return { title: t.pauses({ time: timeOfDay(pausesAtMs, reader) }), text: t.pausesText({ left, until }) };
}

/** Texts of its buttons, and of the result on the device. */
export function extendTexts(pausesAtMs: number, reader: Reader) {
  const t = textsIn(reader.language);
  const time = timeOfDay(pausesAtMs, reader);
  return {
    press: t.extend,
    open: t.open,
    again: t.again,
    // The device fills in the time from its response.
    done: { title: t.extended({ time: '{time}' }), text: t.extendedText },
    failed: { title: t.pauses({ time }), text: t.notExtended({ time }) },
  };
}

/** Text of a test push. */
export function testNotice({ language }: Reader): NoticeText {
  const { test, testText } = textsIn(language);
  return { title: test, text: testText };
}
