const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const SHORT_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

type Writer = (date: Date) => string;

const two = (value: number) => String(value).padStart(2, '0');

/** What the clocks and calendars of this device, or of UTC, show. */
function read(date: Date, utc: boolean) {
  return utc
    ? ([
        date.getUTCFullYear(),
        date.getUTCMonth(),
        date.getUTCDate(),
        date.getUTCDay(),
        date.getUTCHours(),
        date.getUTCMinutes(),
      ] as const)
    : ([
        date.getFullYear(),
        date.getMonth(),
        date.getDate(),
        date.getDay(),
        date.getHours(),
        date.getMinutes(),
      ] as const);
}

/**
 * Writes dates as the rules of `en-GB` do, in the forms that most pages have: a clock face, a weekday, a day of a month with or without
 * its year or time. By hand, because the browser would read its rules of all calendars first, which takes a phone 75 ms of its start.
 * @returns null for every other form, which `Intl` is to write
 */
export function englishDates(options: Intl.DateTimeFormatOptions): Writer | null {
  const { weekday, day, month, year, hour, minute, timeZone = 'UTC', ...more } = options;
  const utc = options.timeZone !== undefined;
  if (Object.keys(more).length > 0 || timeZone !== 'UTC') return null;
  // Each form by what it has and how.
  const form = [weekday, day, month, year, hour, minute].map((part) => part ?? '').join();
  const write = FORMS[form];
  return write ? (date) => write(...read(date, utc)) : null;
}

type Write = (...fields: ReturnType<typeof read>) => string;

const clock: Write = (_year, _month, _day, _weekday, hours, minutes) => `${two(hours)}:${two(minutes)}`;
const shortDay: Write = (_year, month, day) => `${day} ${SHORT_MONTHS[month]}`;

/** As `en-GB` but for September, which has as many letters as the others: in a row of months its fourth stands out. */
const FORMS: Readonly<Record<string, Write>> = {
  'long,,,,,': (_year, _month, _day, weekday) => WEEKDAYS[weekday] ?? '',
  'short,,,,,': (_year, _month, _day, weekday) => WEEKDAYS[weekday]?.slice(0, 3) ?? '',
  ',,short,,,': (_year, month) => SHORT_MONTHS[month] ?? '',
  ',numeric,long,numeric,,': (year, month, day) => `${day} ${MONTHS[month]} ${year}`,
  ',numeric,short,,,': shortDay,
  ',numeric,short,numeric,,': (...at) => `${shortDay(...at)} ${at[0]}`,
  ',numeric,short,,2-digit,2-digit': (...at) => `${shortDay(...at)}, ${clock(...at)}`,
  ',,,,2-digit,2-digit': clock,
};
