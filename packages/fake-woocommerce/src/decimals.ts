/** `wc_format_decimal( text, decimals )`: rounds half up, for every currency. Exact, without floating point. */
export function toDecimals(text: string, decimals: number): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const firstCutDigit = Number(fraction[decimals] ?? "0");
  return sign + withPoint(firstCutDigit >= 5 ? digits + 1n : digits, decimals);
}

/** Writes digits with a decimal point before the last `decimals`: 1234n with 2 decimals is "12.34". */
function withPoint(digits: bigint, decimals: number): string {
  const padded = String(digits).padStart(decimals + 1, "0");
  return decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** Adds two decimal texts; a leading `-` subtracts. The result has as many decimals as the longer operand. */
export function addDecimals(left: string, right: string): string {
  const decimals = Math.max(decimalsIn(left), decimalsIn(right));
  const sum = digitsOf(left, decimals) + digitsOf(right, decimals);
  return sum < 0n ? `-${withPoint(-sum, decimals)}` : withPoint(sum, decimals);
}

function decimalsIn(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

/** The digits of a decimal text without its point: "12.3" with 2 decimals is 1230n. */
function digitsOf(text: string, decimals: number): bigint {
  return BigInt(toDecimals(text, decimals).replace(".", ""));
}
