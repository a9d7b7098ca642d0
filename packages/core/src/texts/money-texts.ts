import type { Equation } from "../domain/equation.ts";
import { formatMoney, type Language, type Money } from "../domain/money.ts";

/**
 * Where the money of a payment is, in one sentence for the shop's owner. Null while nothing has left the payment: the amount received
 * says it all.
 */
export function explainEquation(equation: Equation, language: Language): string | null {
  const { received, returned, leaving, disputed, available } = equation;
  const texts = TEXTS[language];
  const named = { received, returned, leaving, disputed } as const;
  const parts = (["returned", "leaving", "disputed"] as const).filter((part) => named[part].minor !== 0);
  if (parts.length === 0) return null;
  const listed = (["received", ...parts] as const).map((part) => texts[part](formatMoney(named[part], language)));
  const left =
    available.minor < 0
      ? texts.shortfall(formatMoney({ ...available, minor: -available.minor }, language))
      : texts.available(formatMoney(available, language));
  return `${listed.join(", ")}${texts.colon} ${left}`;
}

/** Asks for the answer of a person who has looked in the service's dashboard. */
export function explainDoubt(amount: Money, language: Language): string {
  return TEXTS[language].doubt(formatMoney(amount, language));
}

/** For a payment whose money lost disputes have taken back. */
export function explainLostPayment({ disputed }: Equation, language: Language): string {
  return TEXTS[language].lost(formatMoney(disputed, language));
}

type MoneyTexts = {
  readonly received: (amount: string) => string;
  readonly returned: (amount: string) => string;
  readonly leaving: (amount: string) => string;
  readonly disputed: (amount: string) => string;
  readonly colon: string;
  readonly available: (amount: string) => string;
  readonly shortfall: (amount: string) => string;
  readonly doubt: (amount: string) => string;
  readonly lost: (amount: string) => string;
};

const TEXTS: Readonly<Record<Language, MoneyTexts>> = {
  en: {
    received: (amount) => `${amount} received`,
    returned: (amount) => `${amount} refunded`,
    leaving: (amount) => `${amount} being refunded`,
    disputed: (amount) => `${amount} disputed`,
    colon: ":",
    available: (amount) => `${amount} can be refunded.`,
    shortfall: (amount) => `${amount} more left than arrived.`,
    doubt: (amount) =>
      `The payment service does not show plainly whether it made the refund of ${amount}. Look in its dashboard, then say what you saw.`,
    lost: (amount) =>
      `A dispute took ${amount} of this payment back, so it pays its order no longer. Do not ship the order, or ask the customer to pay again.`,
  },
  fr: {
    received: (amount) => `${amount} reçus`,
    returned: (amount) => `${amount} remboursés`,
    leaving: (amount) => `${amount} en cours de remboursement`,
    disputed: (amount) => `${amount} contestés`,
    colon: " :",
    available: (amount) => `${amount} peuvent être remboursés.`,
    shortfall: (amount) => `${amount} de plus sont partis que reçus.`,
    doubt: (amount) =>
      `Le service de paiement n’indique pas clairement s’il a effectué le remboursement de ${amount}. Regardez dans son tableau de bord, puis dites ce que vous avez vu.`,
    lost: (amount) =>
      `Une contestation a repris ${amount} de ce paiement : il ne règle plus sa commande. N’expédiez pas la commande, ou demandez au client de payer à nouveau.`,
  },
};
