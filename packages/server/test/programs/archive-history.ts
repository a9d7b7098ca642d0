import process from "node:process";
import { openLedger } from "@tillkit/ledger";
import { archiveHistory } from "@tillkit/server";

// Archives the history of the ledger at argv[2] that is older than argv[4] into the folder argv[3]. With argv[5] the process kills
// itself as soon as the disk has the histories of that many steps, before the last of them leave the ledger.
const [, , url = "", folder = "", before = "", stepsBeforeKill] = process.argv;
const ledger = await openLedger(url);
let steps = 0;
await archiveHistory(
  {
    archive: ({ write, ...request }) =>
      ledger.archive({
        ...request,
        limit: 5,
        async write(histories) {
          await write(histories);
          steps += 1;
          if (steps === Number(stepsBeforeKill)) process.kill(process.pid, "SIGKILL");
        },
      }),
  },
  { before: Number(before), at: Date.now(), folder },
);
await ledger.close();
