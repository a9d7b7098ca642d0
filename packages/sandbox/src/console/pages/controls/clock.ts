import { ApiError } from "../../../domain/api-error.ts";
import { isoTime } from "../../../domain/clock.ts";
import { html } from "../../../pages/html.ts";
import type { Service } from "../../../runtime/service.ts";
import { dateAndTime, detailList, timeText } from "../../components/details.ts";
import { durationText } from "../../components/duration.ts";
import { selectField, textField } from "../../components/forms.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";

const unitMs = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const unitNames = { seconds: "seconds", minutes: "minutes", hours: "hours", days: "days" };

const clockPage: PageHandler = async ({ service }) => {
  const { clock } = service;
  const { sessionAt, deliveryAt } = await readNextDueTimes(service);
  const action = `${pageUrl("clock")}/move`;
  const main = html`<h1>Clock</h1>
<p class="key-figure">${dateAndTime(isoTime(clock.now()))} UTC</p>
<form method="post" action="${action}" class="control-form"><input type="hidden" name="unit" value="minutes"><button name="amount" value="1">+1 min</button><button name="amount" value="60">+1 h</button><button name="amount" value="1440">+1 day</button></form>
<form method="post" action="${action}" class="control-form">${textField({ name: "amount", label: "Forward by", value: "10", attributes: html`inputmode="numeric" pattern="[0-9]{1,9}" required` })}${selectField({ name: "unit", label: "Unit", choices: unitNames, chosen: "minutes" })}<button class="quiet">Move</button></form>
<p class="small">The clock moves forward only. Due work runs at once: sessions expire, payments complete, deliveries are retried.</p>
${detailList({
  "Ahead of this machine by": durationText(clock.offsetMs()),
  "Next session expires": sessionAt === null ? "none is open" : timeText(sessionAt),
  "Next delivery attempt": deliveryAt === null ? "none waits" : timeText(deliveryAt),
})}`;
  return { tab: "clock", title: "Clock", main };
};

async function readNextDueTimes({ store }: Service): Promise<{ sessionAt: number | null; deliveryAt: number | null }> {
  const session = await store.database
    .selectFrom("sessions")
    .select((builder) => builder.fn.min("expires_at").as("at"))
    .where("status", "=", "open")
    .executeTakeFirst();
  const delivery = await store.database
    .selectFrom("deliveries")
    .select((builder) => builder.fn.min("due_at").as("at"))
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return { sessionAt: session?.at ?? null, deliveryAt: delivery?.at ?? null };
}

const advanceClock: ActionHandler = async ({ control, form }) => {
  const unit = form.get("unit") ?? "";
  if (!Object.hasOwn(unitMs, unit)) throw new ApiError("bad_request", "Choose a unit of time from the list.");
  const advanceMs = Number(form.get("amount")) * unitMs[unit as keyof typeof unitMs];
  if (!Number.isSafeInteger(advanceMs) || advanceMs < 1)
    throw new ApiError("bad_request", "Enter a whole number, 1 or more.");
  await control.advanceClock(advanceMs);
  return { to: pageUrl("clock"), flashMessage: "moved" };
};

export const clockSection: ConsoleSection = { pages: { clock: clockPage }, actions: { "clock/move": advanceClock } };
