import { auditing } from "./auditing.ts";
import { cli } from "./cli.ts";
import { client } from "./client.ts";
import { clocks } from "./clocks.ts";
import { copies } from "./copies.ts";
import { deciding } from "./deciding.ts";
import { figures } from "./figures.ts";
import { judging } from "./judging.ts";
import { ledger } from "./ledger.ts";
import { ledgerContract } from "./ledger-contract.ts";
import { medusa } from "./medusa.ts";
import { memoryLedger } from "./memory-ledger.ts";
import { movements } from "./movements.ts";
import type { Mutant } from "./mutant.ts";
import { opening } from "./opening.ts";
import { reading } from "./reading.ts";
import { refunding } from "./refunding.ts";
import { server } from "./server.ts";
import { shopify } from "./shopify.ts";
import { signals } from "./signals.ts";
import { sql } from "./sql.ts";
import { storeRefunds } from "./store-refunds.ts";
import { storeWrites } from "./store-writes.ts";
import { timeBounds } from "./time-bounds.ts";
import { vendure } from "./vendure.ts";
import { whoseMoney } from "./whose-money.ts";
import { woocommerce } from "./woocommerce.ts";
import { woocommercePlugin } from "./woocommerce-plugin.ts";

/** Mutants of one package stand together, because they share one start of their tests. */
export const allMutants: readonly Mutant[] = [
  ...judging,
  ...reading,
  ...storeWrites,
  ...timeBounds,
  ...signals,
  ...opening,
  ...refunding,
  ...storeRefunds,
  ...movements,
  ...whoseMoney,
  ...memoryLedger,
  ...clocks,
  ...deciding,
  ...ledger,
  ...ledgerContract,
  ...figures,
  ...sql,
  ...client,
  ...server,
  ...auditing,
  ...cli,
  ...woocommercePlugin,
  ...woocommerce,
  ...copies,
  ...shopify,
  ...medusa,
  ...vendure,
];
