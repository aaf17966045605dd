/**
 * An integer as a decimal, without needless zeros: 50,500,000 micro-CORD are `50.5`. Three decimals have a fourth, `1.2340`:
 * `1.234` may be read as thousands.
 */
export function decimalOf(value: number, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const decimal = digits.slice(0, digits.length - decimals) + (rest && `.${rest}`);
  return mayBeThousands(decimal) ? `${decimal}0` : decimal;
}

/** Parses a typed decimal to an integer; null if it is invalid, has more decimals, or may be meant in thousands (`10,000`, `1.000`). */
export function integerOf(typed: string, decimals: number): number | null {
  const text = typed.trim();
  const [, whole, rest = ''] = /^(\d{1,7})(?:[.,](\d+))?$/.exec(text) ?? [];
  if (whole === undefined || rest.length > decimals || mayBeThousands(text)) return null;
  return Number(whole + rest.padEnd(decimals, '0'));
}

/** The same for a decimal with an optional sign. */
export function signedIntegerOf(typed: string, decimals: number): number | null {
  const [, sign, rest = ''] = /^([-−]|\+)?(.*)$/.exec(typed.trim()) ?? [];
  const integer = integerOf(rest, decimals);
  return integer === null || sign === undefined || sign === '+' ? integer : -integer;
}

function mayBeThousands(text: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
}
