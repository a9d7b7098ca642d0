import type { Language } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";

/** `by` is Medusa's id of the user, never an e-mail address: the timeline stores it. */
export type AdminRequest = { readonly runtime: CheckoutRuntime; readonly language: Language; readonly by: string };
