/** The currencies of the service. An amount on the wire is an integer in the unit that the setting `amountExponents` defines. */
export const currencies = ["XOF", "USD", "EUR"] as const;
export type Currency = (typeof currencies)[number];
/** The decimals of an API amount in each currency. */
export type Exponents = Record<Currency, number>;

/** The ISO 4217 decimals of a currency. The amounts of the API may have other decimals: see `Exponents`. */
const isoDecimals: Exponents = { XOF: 0, USD: 2, EUR: 2 };

/** Converts a minimum from minor units to the unit of the API, rounded up. */
export function toWireAmount(minorUnits: number, currency: Currency, exponents: Exponents): number {
  return Math.ceil(minorUnits / 10 ** (isoDecimals[currency] - exponents[currency]));
}
