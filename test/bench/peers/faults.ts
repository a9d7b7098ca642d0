// Eight faults of a service, each in the first one or two answers to a write. A client survives a fault when the write ends with the
// service's answer, the service did it once, and it took no longer than ten seconds. Every client has the settings it comes with.
import { faults } from "./faults/faults.ts";
import { bundleContender } from "./harness/bundle-contender.ts";
import { runContender } from "./harness/contender.ts";
import { printMeasurement } from "./harness/measurement.ts";

type Figures = { survived: boolean; how: string };

const clients = ["ours", "stripe", "mollie", "adyen", "square", "dodopayments", "razorpay"];
const program = await bundleContender(new URL("./faults/one-fault.ts", import.meta.url));

const survived = new Map<string, number>(clients.map((name) => [name, 0]));
for (const { name: fault } of faults) {
  const lines = await Promise.all(
    clients.map(async (client) => {
      const figures = await runContender<Figures>(program, [client, fault]);
      if (figures.survived) survived.set(client, (survived.get(client) ?? 0) + 1);
      return `${client}: ${figures.how}`;
    }),
  );
  process.stderr.write(`  ${fault}\n    ${lines.join("\n    ")}\n`);
}
const { ours = 0, ...others } = Object.fromEntries(survived);
printMeasurement({
  what: `writes that end well, of ${faults.length} faults`,
  unit: "",
  ours: [ours],
  peers: Object.fromEntries(Object.entries(others).map(([name, count]) => [name, [count]])),
  goal: { atLeast: faults.length },
  showsValues: true,
});
