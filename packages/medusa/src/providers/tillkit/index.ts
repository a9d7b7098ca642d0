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
import type { TillkitOptions } from "../../options/options.ts";
import { cancel } from "../../provider/cancel.ts";
import { initiate } from "../../provider/initiate.ts";
import { dataOf, paymentOf } from "../../provider/payment-data.ts";
import { refund } from "../../provider/refund.ts";
import { asRefusal, notAllowed } from "../../provider/refusal.ts";
import { authorize } from "../../provider/standing.ts";
import { stockWebhook } from "../../provider/stock-webhook.ts";
import { shoppersLanguage } from "../../shop/cart.ts";
import { IDENTIFIER } from "../../shop/proof.ts";
import type { Till } from "../../till/open-till.ts";
import { agreeOnOptions } from "../../till/shared-till.ts";
import { tillOfMedusa } from "../../till/till-of-medusa.ts";

/** Medusa's payment provider: each method is one function of `provider/`, with the till and the payment it is about. */
export class TillkitPaymentProvider extends AbstractPaymentProvider<TillkitOptions> {
  static override identifier: string = IDENTIFIER;

  static override validateOptions(options: Record<string, unknown>): void {
    agreeOnOptions("provider", options);
  }

  constructor(cradle: Record<string, unknown>, options: TillkitOptions) {
    super(cradle, options);
  }

  initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return withTill((till) => initiate(till, input), input);
  }

  updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return withTill(async (till) => {
      const { data = {}, status } = await initiate(till, input);
      return { data, ...(status === undefined ? {} : { status }) };
    }, input);
  }

  authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return withPayment(input, (till, payment) => {
      // The key is Medusa's own name of the session it is about to call paid; the data beside it was once a storefront's.
      if (input.context?.idempotency_key === payment.attempt) return authorize(till, payment);
      throw notAllowed("dataOfAnother");
    });
  }

  getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return withPayment(input, (till, payment) => authorize(till, payment));
  }

  retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return withPayment(input, async (till, payment) => ({ data: (await authorize(till, payment)).data ?? {} }));
  }

  capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return withPayment(input, async (till, payment) => {
      const { status, data = {} } = await authorize(till, payment);
      if (status === "captured") return { data };
      throw notAllowed("notCompleted");
    });
  }

  refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return withTill(async (till) => refund(till, await mustFind(till, input), input));
  }

  cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return withTill(async (till) => {
      const payment = await mustFind(till, input);
      await cancel(till, payment);
      return { data: dataOf(payment) };
    });
  }

  /** The hosted page of a deleted session can still be paid, so its payment stays watched: nothing is done, nothing forgotten. */
  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return { data: input.data ?? {} };
  }

  getWebhookActionAndData(payload: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    return withTill((till) => stockWebhook(till, payload));
  }
}

/** `heardBy`: the session of the shopper who is told when this is refused; the owner is, when there is none. */
async function withTill<Value>(
  work: (till: Till) => Promise<Value>,
  heardBy?: Pick<PaymentProviderInput, "data">,
): Promise<Value> {
  const till = await tillOfMedusa().catch((error: unknown) => {
    throw asRefusal(error, "en");
  });
  try {
    return await work(till);
  } catch (error) {
    const { language } = till.options;
    const session = heardBy?.data?.session_id;
    throw asRefusal(error, heardBy ? await shoppersLanguage(till.container, session, language) : language);
  }
}

function withPayment<Value>(
  input: PaymentProviderInput,
  work: (till: Till, payment: Payment) => Promise<Value>,
): Promise<Value> {
  return withTill(async (till) => work(till, await mustFind(till, input)), input);
}

async function mustFind(till: Till, { data }: PaymentProviderInput): Promise<Payment> {
  const payment = await paymentOf(till, data);
  if (payment) return payment;
  throw notAllowed("noPayment");
}

const provider: ReturnType<typeof ModuleProvider> = ModuleProvider(Modules.PAYMENT, {
  services: [TillkitPaymentProvider],
});

export default provider;
