/** The currencies of the service. An amount on the wire is an integer in the unit that the setting `amountExponents` defines. */
export const currencies = ["XOF", "USD", "EUR"] as const;
export type Currency = (typeof currencies)[number];
export type Exponents = Record<Currency, number>;

/** The ISO 4217 decimals of a currency. The API may use another unit. */
const bankDecimals: Exponents = { XOF: 0, USD: 2, EUR: 2 };

/** Converts a minimum from minor units to the unit of the API, rounded up. */
export function toWireAmount(minorUnits: number, currency: Currency, exponents: Exponents): number {
  return Math.ceil(minorUnits / 10 ** (bankDecimals[currency] - exponents[currency]));
}
