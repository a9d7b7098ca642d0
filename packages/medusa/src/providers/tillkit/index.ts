import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentProviderInput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types";
import { AbstractPaymentProvider, ModuleProvider, Modules } from "@medusajs/framework/utils";
import type { Payment } from "@tillkit/core";
import { toMedusaError, userError } from "../../errors/user-error.ts";
import type { TillkitOptions } from "../../options/options.ts";
import { assertPluginEntry } from "../../options/plugin-entry.ts";
import { authorize } from "../../provider/authorize.ts";
import { builtInWebhook } from "../../provider/built-in-webhook.ts";
import { cancel } from "../../provider/cancel.ts";
import { initiate } from "../../provider/initiate.ts";
import { findPayment, toPaymentData } from "../../provider/payment-data.ts";
import { refund } from "../../provider/refund.ts";
import { getRuntime } from "../../runtime/get-runtime.ts";
import type { CheckoutRuntime } from "../../runtime/open-runtime.ts";
import { registerOptions } from "../../runtime/shared-runtime.ts";
import { readShopperLanguage } from "../../store/cart.ts";
import { PROVIDER_IDENTIFIER } from "../../store/paid-by.ts";

/** Medusa's payment provider. Each method calls one function of `provider/` with the runtime and the payment. */
export class TillkitPaymentProvider extends AbstractPaymentProvider<TillkitOptions> {
  static override identifier: string = PROVIDER_IDENTIFIER;

  static override validateOptions(options: Record<string, unknown>): void {
    registerOptions("provider", options);
  }

  constructor(cradle: Record<string, unknown>, options: TillkitOptions) {
    super(cradle, options);
  }

  initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return withRuntime((runtime) => initiate(runtime, input), input);
  }

  updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return withRuntime(async (runtime) => {
      const { data = {}, status } = await initiate(runtime, input);
      return { data, ...(status === undefined ? {} : { status }) };
    }, input);
  }

  authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return withPayment(input, (runtime, payment) => {
      // The data of a session may come from the storefront and name another payment. The key comes from Medusa: it is the id of the
      // session that is about to count as paid.
      if (input.context?.idempotency_key === payment.attempt) return authorize(runtime, payment);
      throw userError("dataOfOtherPayment");
    });
  }

  getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return withPayment(input, (runtime, payment) => authorize(runtime, payment));
  }

  retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return withPayment(input, async (runtime, payment) => ({ data: (await authorize(runtime, payment)).data ?? {} }));
  }

  capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return withPayment(input, async (runtime, payment) => {
      const { status, data = {} } = await authorize(runtime, payment);
      if (status === "captured") return { data };
      throw userError("notCompleted");
    });
  }

  refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return withRuntime(async (runtime) => refund(runtime, await requirePayment(runtime, input), input));
  }

  cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return withRuntime(async (runtime) => {
      const payment = await requirePayment(runtime, input);
      await cancel(runtime, payment);
      return { data: toPaymentData(payment) };
    });
  }

  /** Does nothing: the hosted page of a deleted session can still be paid, so its payment is still checked. */
  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return { data: input.data ?? {} };
  }

  getWebhookActionAndData(payload: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    return withRuntime((runtime) => builtInWebhook(runtime, payload));
  }
}

/** Errors use the language of the shopper's cart when `shopperInput` is given, otherwise the owner's. */
async function withRuntime<Value>(
  work: (runtime: CheckoutRuntime) => Promise<Value>,
  shopperInput?: Pick<PaymentProviderInput, "data">,
): Promise<Value> {
  const runtime = await getRuntime().catch((error: unknown) => {
    throw toMedusaError(error, "en");
  });
  try {
    return await work(runtime);
  } catch (error) {
    const { language } = runtime.options;
    const session = shopperInput?.data?.session_id;
    throw toMedusaError(
      error,
      shopperInput ? await readShopperLanguage(runtime.container, session, language) : language,
    );
  }
}

function withPayment<Value>(
  input: PaymentProviderInput,
  work: (runtime: CheckoutRuntime, payment: Payment) => Promise<Value>,
): Promise<Value> {
  return withRuntime(async (runtime) => work(runtime, await requirePayment(runtime, input)), input);
}

async function requirePayment(runtime: CheckoutRuntime, { data }: PaymentProviderInput): Promise<Payment> {
  const payment = await findPayment(runtime, data);
  if (payment) return payment;
  throw userError("noPayment");
}

const provider: ReturnType<typeof ModuleProvider> = ModuleProvider(Modules.PAYMENT, {
  services: [TillkitPaymentProvider],
  loaders: [assertPluginEntry],
});

export default provider;
