import { hasServer } from "./failover/server-machine.ts";
import { testQuickShareOf } from "./quick-share.ts";
import { failover } from "./tiers/failover.ts";

testQuickShareOf(failover, hasServer ? null : "no PostgreSQL server on this machine");
