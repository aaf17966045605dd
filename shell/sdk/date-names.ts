const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const SHORT_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

type Writer = (date: Date) => string;

const two = (value: number) => String(value).padStart(2, '0');

/** Returns the calendar fields of a date, local or UTC. */
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
 * Formats dates by the rules of `en-GB`, in the forms that most pages use: a time, a weekday, or a day of a month
 * with or without its year or time. `Intl` would first load all calendars, which takes a phone 75 ms at startup.
 * @returns null for every other form, which needs `Intl`
 */
export function englishDates(options: Intl.DateTimeFormatOptions): Writer | null {
  const { weekday, day, month, year, hour, minute, timeZone = 'UTC', ...more } = options;
  const utc = options.timeZone !== undefined;
  if (Object.keys(more).length > 0 || timeZone !== 'UTC') return null;
  // The key of a form lists its parts and their styles.
  const form = [weekday, day, month, year, hour, minute].map((part) => part ?? '').join();
  const write = FORMS[form];
  return write ? (date) => write(...read(date, utc)) : null;
}

type Write = (...fields: ReturnType<typeof read>) => string;

const clock: Write = (_year, _month, _day, _weekday, hours, minutes) => `${two(hours)}:${two(minutes)}`;
const shortDay: Write = (_year, month, day) => `${day} ${SHORT_MONTHS[month]}`;

/** As `en-GB` except for September: three letters like the other months, so that a row of months is even. */
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
