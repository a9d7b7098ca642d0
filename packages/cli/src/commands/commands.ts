import type { Command, CommandGroup } from "../command-line/command.ts";
import { archive } from "./archive.ts";
import { audit } from "./audit/audit.ts";
import { guard } from "./audit/guard.ts";
import { copies } from "./copies.ts";
import { doctor } from "./doctor/doctor.ts";
import { erase } from "./erase.ts";
import { explain } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { holds } from "./holds.ts";
import { invitations } from "./invitations.ts";
import { jobs } from "./jobs.ts";
import { mcp } from "./mcp/mcp.ts";
import { refundsCreate, refundsList } from "./money/refunds.ts";
import { transactions } from "./money/transactions.ts";
import { newAdapter } from "./new-adapter.ts";
import { open } from "./open.ts";
import { paymentsDecideDispute, paymentsNameTransaction, paymentsSettleRefund } from "./payments/answers.ts";
import { paymentsList } from "./payments/list.ts";
import { paymentsRefund } from "./payments/refund.ts";
import { paymentsShow } from "./payments/show.ts";
import { prestashop } from "./prestashop.ts";
import { privacyExport } from "./privacy-export.ts";
import { completionOf } from "./profile/completion.ts";
import { configInit } from "./profile/config-init.ts";
import { prune } from "./prune.ts";
import { reconcile } from "./reconcile.ts";
import { replay } from "./replay.ts";
import { chaos } from "./sandbox/chaos.ts";
import { clock } from "./sandbox/clock.ts";
import { fault } from "./sandbox/fault.ts";
import { sandbox } from "./sandbox/sandbox.ts";
import { trigger } from "./sandbox/trigger.ts";
import { sessionCreate } from "./session/create.ts";
import { sessionExpire, sessionFail, sessionPay } from "./session/pay.ts";
import { sessionWatch } from "./session/watch.ts";
import { shopify } from "./shopify.ts";
import { vacuum } from "./vacuum.ts";
import { webhooksCreate } from "./webhooks/create.ts";
import { webhooksDelete, webhooksList, webhooksRotate, webhooksTest, webhooksUpdate } from "./webhooks/endpoints.ts";
import { listen } from "./webhooks/listen.ts";
import { logs } from "./webhooks/logs.ts";
import { eventsResend } from "./webhooks/resend.ts";
import { verify } from "./webhooks/verify.ts";
import { woocommerce } from "./woocommerce.ts";

/** Every command, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: "Develop on this machine",
    commands: [
      newAdapter,
      sandbox,
      configInit,
      listen,
      trigger,
      sessionCreate,
      sessionPay,
      sessionFail,
      sessionExpire,
      sessionWatch,
      clock,
      fault,
      chaos,
      open,
    ],
  },
  {
    title: "Ask the service",
    commands: [
      transactions,
      refundsCreate,
      refundsList,
      webhooksCreate,
      webhooksList,
      webhooksUpdate,
      webhooksTest,
      webhooksRotate,
      webhooksDelete,
      logs,
      eventsResend,
      verify,
    ],
  },
  {
    title: "Orders and money",
    commands: [
      audit,
      guard,
      explain,
      paymentsList,
      paymentsShow,
      paymentsRefund,
      paymentsNameTransaction,
      paymentsSettleRefund,
      paymentsDecideDispute,
      holds,
      reconcile,
    ],
  },
  {
    title: "Keep a ledger",
    commands: [jobs, replay, exportCommand, prune, archive, erase, vacuum, privacyExport, copies],
  },
  {
    title: "Servers, assistants and shells",
    commands: [woocommerce, prestashop, shopify, invitations, doctor, mcp, completionOf(() => commands)],
  },
];

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
