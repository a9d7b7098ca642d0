import { createServiceClient } from "@tillkit/client";
import { bareCall } from "./bare-call.ts";
import { adyenCall, dodoCall, mollieCall, razorpayCall, squareCall, stripeCall } from "./sdk-calls.ts";
import { session } from "./session.ts";
import { undiciCall } from "./undici-call.ts";

/** One write of a contender: about 400 bytes of JSON out, 1.4 KB of JSON back, parsed. */
export type Call = () => Promise<unknown>;

/** The contenders by name: each makes a client of a server on this machine, as its documentation shows, and returns its call. */
export const contenders: Readonly<Record<string, (baseUrl: string) => Call>> = {
  ours: (baseUrl) => {
    const client = createServiceClient({ apiKey: "svc_sk_test_bench0000000000000000000", baseUrl });
    return () => client.checkoutSessions.create(session);
  },
  "bare node:https": bareCall,
  undici: undiciCall,
  stripe: stripeCall,
  mollie: mollieCall,
  adyen: adyenCall,
  square: squareCall,
  dodopayments: dodoCall,
  razorpay: razorpayCall,
};

/** Contenders that open TLS connections even to an http address. */
export const tlsOnly: readonly string[] = ["mollie", "adyen"];
