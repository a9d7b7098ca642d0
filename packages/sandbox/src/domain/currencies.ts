/** The currencies of the service. An amount travels as an integer in the unit that `amountExponents` says. */
export const currencies = ["XOF", "USD", "EUR"] as const;
export type Currency = (typeof currencies)[number];
export type Exponents = Record<Currency, number>;

/** Minor units of a currency as banks count them, whatever the API's unit is. */
const bankDecimals: Exponents = { XOF: 0, USD: 2, EUR: 2 };

/** The least amount in the API's unit for a minimum given in minor units. */
export function toWireAmount(minorUnits: number, currency: Currency, exponents: Exponents): number {
  return Math.ceil(minorUnits / 10 ** (bankDecimals[currency] - exponents[currency]));
}
