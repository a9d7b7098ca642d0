/** The two storefronts that Medusa's documentation gives to merchants. */
export type StarterName = "dtc-starter" | "nextjs-starter-medusa";

/** The files of a storefront by their path. */
export type StarterFiles = ReadonlyMap<string, string>;

/** The variable that holds Medusa's address in each starter. */
export const BACKEND_VARIABLE: Readonly<Record<StarterName, string>> = {
  "dtc-starter": "NEXT_PUBLIC_MEDUSA_BACKEND_URL",
  "nextjs-starter-medusa": "MEDUSA_BACKEND_URL",
};

/**
 * The files of a starter that merchants change by the edits in the README of `@tillkit/medusa`, as small as they can be. Names,
 * paths, types and the places of the edits are those of the real files; everything else is left out. The starters differ in the
 * type of the cart and in where their button comes from.
 */
export function starterFiles(name: StarterName): StarterFiles {
  const isCurrent = name === "dtc-starter";
  const cart = isCurrent ? "HttpTypes.StoreCart" : "any";
  const ui = isCurrent ? "@modules/common/components/ui" : "@medusajs/ui";
  return new Map([
    ["src/lib/constants.tsx", CONSTANTS],
    ["src/lib/data/cookies.ts", COOKIES],
    ["src/lib/data/cart.ts", CART],
    ["src/modules/checkout/components/payment/index.tsx", paymentStep(cart)],
    ["src/modules/checkout/components/payment-button/index.tsx", paymentButton(ui)],
  ]);
}

const CONSTANTS = `
import { CreditCard } from "@medusajs/icons"
import React from "react"

export const paymentInfoMap: Record<string, { title: string; icon: React.JSX.Element }> = {
  pp_system_default: {
    title: "Manual Payment",
    icon: <CreditCard />,
  },
}

export const isStripeLike = (providerId?: string) => providerId?.startsWith("pp_stripe_")
export const isManual = (providerId?: string) => providerId?.startsWith("pp_system_default")
`;

const COOKIES = `
export const removeCartId = async (): Promise<void> => {}
`;

const CART = `
import { HttpTypes } from "@medusajs/types"

export async function initiatePaymentSession(
  cart: HttpTypes.StoreCart,
  data: HttpTypes.StoreInitializePaymentSession
): Promise<HttpTypes.StorePaymentCollectionResponse> {
  throw new Error(cart.id + data.provider_id)
}
`;

const paymentStep = (cart: string) => `
"use client"

import { initiatePaymentSession } from "@lib/data/cart"
import { HttpTypes } from "@medusajs/types"
import { useState } from "react"

const Payment = ({ cart }: { cart: ${cart} }) => {
  const activeSession = cart.payment_collection?.payment_sessions?.find(
    (paymentSession: HttpTypes.StorePaymentSession) => paymentSession.status === "pending"
  )
  const [selectedPaymentMethod] = useState<string>(activeSession?.provider_id ?? "")
  const submit = async () => {
    if (activeSession?.provider_id !== selectedPaymentMethod) {
      await initiatePaymentSession(cart, {
        provider_id: selectedPaymentMethod,
      })
    }
  }
  return <button onClick={submit}>Continue to review</button>
}

export default Payment
`;

const paymentButton = (ui: string) => `
"use client"

import { isManual, isStripeLike } from "@lib/constants"
import { HttpTypes } from "@medusajs/types"
import { Button } from "${ui}"
import React from "react"

const PaymentButton: React.FC<{ cart: HttpTypes.StoreCart; "data-testid": string }> = ({
  cart,
  "data-testid": dataTestId,
}) => {
  const notReady = !cart || !cart.email || (cart.shipping_methods?.length ?? 0) < 1
  const paymentSession = cart.payment_collection?.payment_sessions?.[0]

  switch (true) {
    case isStripeLike(paymentSession?.provider_id):
      return <Button data-testid={dataTestId}>Pay by card</Button>
    case isManual(paymentSession?.provider_id):
      return <Button disabled={notReady}>Place order</Button>
    default:
      return <Button disabled>Select a payment method</Button>
  }
}

export default PaymentButton
`;
