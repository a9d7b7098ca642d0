import { type Equation, formatMoney } from "@tillkit/core";

/** Where the money of a transaction or a payment is, in one sentence. */
export function moneySentence({ received, returned, leaving, disputed, available }: Equation): string {
  const [arrived, back, onItsWay, taken] = [received, returned, leaving, disputed].map((sum) => formatMoney(sum, "en"));
  const left = formatMoney(available, "en");
  const end = available.minor < 0 ? `the shortfall is ${left}` : `${left} available`;
  return `${arrived} arrived, ${back} returned, ${onItsWay} on the way back, ${taken} disputed: ${end}.`;
}
