/** `wc_format_decimal( text, decimals )`: rounds half up, for every currency. Exact, without floating point. */
export function toDecimals(text: string, decimals: number): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const rounded = digits + (Number(fraction[decimals] ?? "0") >= 5 ? 1n : 0n);
  const padded = String(rounded).padStart(decimals + 1, "0");
  return decimals === 0 ? sign + padded : `${sign}${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** Adds two decimal texts; a leading `-` subtracts. The result has as many decimals as the longer operand. */
export function addDecimals(left: string, right: string): string {
  const decimals = Math.max(decimalsIn(left), decimalsIn(right));
  const sum = scaled(left, decimals) + scaled(right, decimals);
  const padded = String(sum < 0n ? -sum : sum).padStart(decimals + 1, "0");
  const text = decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
  return sum < 0n ? `-${text}` : text;
}

function decimalsIn(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

function scaled(text: string, decimals: number): bigint {
  return BigInt(toDecimals(text, decimals).replace(".", ""));
}
