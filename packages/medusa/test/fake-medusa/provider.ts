import type { IPaymentProvider } from "@medusajs/framework/types";

export const PROVIDER_ID = "pp_tillkit_tillkit";

/** The provider methods that the fake calls. */
export type ProviderMethods = Pick<
  IPaymentProvider,
  "initiatePayment" | "authorizePayment" | "cancelPayment" | "deletePayment" | "refundPayment"
>;

export type CountedProvider = {
  /** How often each method was called. */
  readonly callCounts: Record<string, number>;
  call<Name extends keyof ProviderMethods>(
    name: Name,
    input: Parameters<ProviderMethods[Name]>[0],
  ): ReturnType<ProviderMethods[Name]>;
};

export function countCalls(provider: ProviderMethods): CountedProvider {
  const callCounts: Record<string, number> = {};
  return {
    callCounts,
    call<Name extends keyof ProviderMethods>(name: Name, input: Parameters<ProviderMethods[Name]>[0]) {
      callCounts[name] = (callCounts[name] ?? 0) + 1;
      const method = provider[name] as (input: unknown) => ReturnType<ProviderMethods[Name]>;
      // A copy: a provider that changes its input must not change Medusa's tables.
      return method.call(provider, structuredClone(input));
    },
  };
}
