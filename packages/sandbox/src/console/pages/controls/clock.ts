import { isoTime } from "../../../domain/clock.ts";
import { html } from "../../../pages/html.ts";
import type { Service } from "../../../runtime/service.ts";
import { dateAndTime, detailList, timeText } from "../../components/details.ts";
import { durationText } from "../../components/duration.ts";
import { selectField, textField } from "../../components/forms.ts";
import { pageUrl } from "../../components/page-url.ts";
import { type ActionHandler, type ConsoleSection, FormProblem, type PageHandler } from "../../components/section.ts";

const unitMs = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const clockPage: PageHandler = async ({ service, texts }) => {
  const { clock } = service;
  const words = texts.clock;
  const { sessionAt, deliveryAt } = await readNextDueTimes(service);
  const action = `${pageUrl("clock")}/move`;
  const main = html`<h1>${texts.tabs.clock}</h1>
<p class="key-figure">${dateAndTime(isoTime(clock.now()))} UTC</p>
<form method="post" action="${action}" class="control-form"><input type="hidden" name="unit" value="minutes"><button name="amount" value="1">${words.plusMinute}</button><button name="amount" value="60">${words.plusHour}</button><button name="amount" value="1440">${words.plusDay}</button></form>
<form method="post" action="${action}" class="control-form">${textField({ name: "amount", label: words.forwardBy, value: "10", attributes: html`inputmode="numeric" pattern="[0-9]{1,9}" required` })}${selectField({ name: "unit", label: words.unit, choices: words.units, chosen: "minutes" })}<button class="quiet">${words.move}</button></form>
<p class="small">${words.hint}</p>
${detailList({
  [words.ahead]: durationText(texts, clock.offsetMs()),
  [words.nextSession]: sessionAt === null ? words.noneOpen : timeText(sessionAt),
  [words.nextDelivery]: deliveryAt === null ? words.noneWaits : timeText(deliveryAt),
})}`;
  return { tab: "clock", title: texts.tabs.clock, main };
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

const advanceClock: ActionHandler = async ({ control, form, texts: { problems } }) => {
  const unit = form.get("unit") ?? "";
  if (!Object.hasOwn(unitMs, unit)) throw new FormProblem(problems.unit);
  const advanceMs = Number(form.get("amount")) * unitMs[unit as keyof typeof unitMs];
  if (!Number.isSafeInteger(advanceMs) || advanceMs < 1) throw new FormProblem(problems.wholeNumber);
  await control.advanceClock(advanceMs);
  return { to: pageUrl("clock"), flashMessage: "moved" };
};

export const clockSection: ConsoleSection = { pages: { clock: clockPage }, actions: { "clock/move": advanceClock } };
