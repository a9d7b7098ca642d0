import { type Answer, ask } from "./ask.ts";
import { bad, type Check, careful, good } from "./check.ts";

const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Checks a checkout server from outside, as the service and the shopper's browser see it. */
export async function* checkServer(server: string): AsyncGenerator<Check> {
  yield await checkAddress(server);
  const health = await ask(`${server}/healthz`);
  if (health === null) return yield noAnswer(server);
  if (isElsewhere(health)) return yield await misplaced(server, health);
  yield healthCheck(health);
  yield* readyChecks(await ask(`${server}/readyz`));
  yield clockCheck(health.date);
}

/** Whether the address is encrypted, as the service requires. */
export async function checkAddress(server: string): Promise<Check> {
  const { addressFault, addressRule } = await import("@tillkit/client");
  const fault = addressFault(server, "base");
  return fault === null
    ? good("address", `${server} is encrypted, or on this machine.`)
    : bad("address", `--server ${addressRule(fault)}.`);
}

export function noAnswer(server: string): Check {
  return bad("health", `${server} does not answer: start the server, or check name, port, certificate and firewall.`);
}

export function clockCheck(date: string | null): Check {
  const difference = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(difference)) return careful("clock", "The server does not tell its time.");
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS)
    return good("clock", "The server's clock agrees with this machine's clock.");
  const seconds = Math.round(difference / 1000);
  return bad("clock", `The server's clock differs by ${seconds} s from this machine's: synchronise both.`);
}

function healthCheck({ status, facts }: Answer): Check {
  if (status === 200 && facts.ok === true) return good("health", "/healthz: the process works.");
  return bad("health", `/healthz answers ${status}: the process is not healthy; its logs say why.`);
}

/** Another program, such as the shop itself, answers here: the checkout server is mounted below it. */
function isElsewhere({ status, facts }: Answer): boolean {
  return facts.ok === undefined && status !== 503;
}

/** Where our examples, guides and generated shops mount the checkout server. */
const MOUNT_PATHS = ["/checkout", "/tillkit", "/pay"];

async function misplaced(server: string, { status }: Answer): Promise<Check> {
  const said = `/healthz answers ${status}: the checkout server's own routes are not at this address`;
  for (const path of MOUNT_PATHS) {
    const answer = await ask(`${server}${path}/healthz`);
    if (answer !== null && !isElsewhere(answer)) return bad("health", `${said}: use --server ${server}${path}.`);
  }
  return bad("health", `${said}: use its publicUrl, with the path under which it is mounted.`);
}

/** Whether the server is ready, and what it says that its operator must change soon. */
function* readyChecks(answer: Answer | null): Generator<Check> {
  if (answer?.status === 200) yield good("ready", "/readyz: ledger, work and configuration are ready.");
  else {
    const reason = answer === null ? "no answer" : `status ${answer.status}, ${JSON.stringify(answer.facts)}`;
    const advice = answer === null ? [] : adviceFor(answer.facts);
    if (advice.length === 0) yield bad("ready", `/readyz: not ready (${reason}): the server's log says why.`);
    for (const sentence of advice) yield bad("ready", `/readyz: not ready: ${sentence}`);
  }
  const warnings = answer?.facts.warnings;
  for (const warning of Array.isArray(warnings) ? warnings : []) yield warningCheck(warning);
}

const LEDGER_ADVICE: Readonly<Record<string, string>> = {
  unreachable: "the server does not reach its ledger. Check that the database runs, its address and its password.",
  standby: "the database only reads, as after another server took over. Point the address at the one that writes.",
  commits_wait:
    "the database waits for a standby that does not answer. Bring it back, or take it out of the synchronous ones.",
  tables_differ:
    "the tables of the ledger are of another version. Start the newest version of Tillkit, in every process.",
  clock_differs:
    "the clock of the server's machine is off. Synchronise it, for example with chrony or timedatectl set-ntp true.",
};

/** What to do about each fact that keeps a server from being ready. */
function adviceFor({ ledger, timer, lagMs }: Answer["facts"]): readonly string[] {
  const ofLedger =
    typeof ledger === "string" && Object.hasOwn(LEDGER_ADVICE, ledger) ? LEDGER_ADVICE[ledger] : undefined;
  const isLate = typeof lagMs === "number" && lagMs > LONGEST_LAG_MS;
  return [
    ...(ofLedger === undefined ? [] : [ofLedger]),
    ...(timer === "stuck" ? ["its timer no longer runs. Restart the process, and report its log."] : []),
    ...(isLate
      ? [
          "jobs have been waiting for minutes. The dead and failing jobs at /operators show which shop or call holds them up.",
        ]
      : []),
  ];
}

const LONGEST_LAG_MS = 600_000;

/** With these warnings webhooks, payments or links fail already. */
const FAULTS: ReadonlySet<unknown> = new Set(["webhooks_refused", "key_refused", "keys_differ"]);

/** A server of an earlier version sends sentences without a code. */
function warningCheck(warning: unknown): Check {
  const { code, message } = typeof warning === "object" && warning !== null ? (warning as Record<string, unknown>) : {};
  return (FAULTS.has(code) ? bad : careful)("ready", `/readyz: ${message ?? warning}`);
}
