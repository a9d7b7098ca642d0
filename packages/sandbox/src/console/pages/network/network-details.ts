import type { MembershipRecord, OperatorRecord } from "../../../control/network-records.ts";
import { notFound } from "../../../domain/api-error.ts";
import type { Currency } from "../../../domain/currencies.ts";
import { type Html, html } from "../../../pages/html.ts";
import { membershipStatuses, partyStatuses } from "../../../storage/network-tables.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { selectField } from "../../components/forms.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import {
  type ActionHandler,
  type ConsolePageRequest,
  type ConsoleSection,
  FormProblem,
  type PageHandler,
} from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";
import { merchantKeyActions, merchantKeys } from "./merchant-keys.ts";

/** A membership, Operator, member or merchant, as its page shows it. */
type Party = {
  name: string;
  status: string;
  /** The statuses that a person can choose. */
  statuses: readonly string[];
  setStatus(status: string): Promise<unknown>;
  /** The details that only this kind of party has. */
  details: Html;
};

const detailPage: PageHandler = async (request) => {
  const { texts } = request;
  const { name, status, statuses, details } = await findParty(request);
  const choices = Object.fromEntries(statuses.map((state) => [state, texts.state(state)]));
  const main = html`<p class="breadcrumb"><a href="${pageUrl("network")}">${texts.tabs.network}</a></p>
<h1>${name} ${badge(texts, status)}</h1>
<form method="post" action="${pageUrl("network", request.id)}/move" class="control-form">${selectField({ name: "status", label: texts.network.state, choices, chosen: status })}<button>${texts.network.change}</button></form>
${details}`;
  return { tab: "network", title: name, main };
};

const changeStatus: ActionHandler = async ({ form, ...action }) => {
  const { id, texts } = action;
  const party = await findParty({ ...action, query: new URLSearchParams() });
  const status = form.get("status") ?? "";
  if (!party.statuses.includes(status)) throw new FormProblem(texts.problems.status);
  await party.setStatus(status);
  return { to: pageUrl("network", id), flashMessage: "saved" };
};

/** @throws ApiError `not_found` */
async function findParty(request: PartyRequest): Promise<Party> {
  for (const find of [findMembership, findOperator, findMember, findMerchant]) {
    const party = await find(request);
    if (party !== null) return party;
  }
  throw notFound("Party of the Network");
}

type PartyRequest = Omit<ConsolePageRequest, "draft">;
type FindParty = (request: PartyRequest) => Promise<Party | null>;

const findMembership: FindParty = async ({ control, id, texts }) => {
  const { labels } = texts;
  const found = (await control.listMemberships()).find(({ membership_id }) => membership_id === id);
  if (found === undefined) return null;
  return {
    name: found.account,
    status: found.status,
    statuses: membershipStatuses,
    setStatus: (status) => control.updateMembership(id, { status: status as (typeof membershipStatuses)[number] }),
    details: html`${detailList({
      [labels.membership]: idText(id),
      [labels.operator]: html`<a href="${pageUrl("network", found.operator_id)}">${found.operator_id}</a>`,
      [labels.memberAccount]: idText(found.account),
      [labels.since]: timeText(found.created_at),
      [labels.changed]: timeText(found.updated_at),
    })}${capabilityLists(texts, found)}`,
  };
};

function capabilityLists(texts: ConsoleTexts, { capabilities }: MembershipRecord): Html {
  return html`${(["test", "live"] as const).map((environment) => {
    const states = Object.entries(capabilities[environment]).map(([name, state]) => [name, badge(texts, state)]);
    return html`<h2>${texts.network.capabilities(texts.environments[environment])}</h2>${states.length === 0 ? html`<p class="none">${texts.lists.none}</p>` : detailList(Object.fromEntries(states))}`;
  })}`;
}

const findOperator: FindParty = async (request) => {
  const { control, id, texts } = request;
  const { labels } = texts;
  const found = (await control.listOperators()).find(({ operator_id }) => operator_id === id);
  if (found === undefined) return null;
  return {
    name: found.name,
    status: found.status,
    statuses: partyStatuses,
    setStatus: (status) => control.updateOperator(id, { status: status as (typeof partyStatuses)[number] }),
    details: html`${detailList({
      [labels.operator]: idText(id),
      [labels.organization]: organizationLink(found.organization_id),
      [labels.feeRule]: feeText(texts, found.fee),
      [labels.grantsTest]: found.default_capabilities.test.join(", "),
      [labels.grantsLive]: found.default_capabilities.live.join(", "),
    })}<h2>${texts.network.feesEarned}</h2>${await feeList(request)}`,
  };
};

/** The page of the organization shows its API keys. */
function organizationLink(organizationId: string): Html {
  return html`<a href="${pageUrl("network", organizationId)}">${organizationId}</a>`;
}

function feeText({ network }: ConsoleTexts, fee: OperatorRecord["fee"]): string {
  if (fee === null) return network.noFee;
  const { kind, ...parts } = fee;
  return [kind, ...Object.entries(parts).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)].join(", ");
}

async function feeList(request: PartyRequest): Promise<Html> {
  const { control, id, query, texts } = request;
  const { offset, limit } = parsePage(query);
  const earned = (await control.listOperatorFees(id)).slice(offset, offset + limit);
  const items = earned.map((fee) => ({
    href: pageUrl("transactions", fee.transaction_id),
    name: fee.transaction_id,
    about: [timeText(fee.created_at), texts.environments[fee.environment]],
    amount: amountText(request, fee.amount, fee.currency_code as Currency),
  }));
  return pagedList(request, { items, emptyText: texts.lists.noneYet });
}

const findMember: FindParty = async ({ control, id, texts: { labels } }) => {
  const found = (await control.listMembers()).find(({ member_id, account }) => [member_id, account].includes(id));
  if (found === undefined) return null;
  const { name, account, organization_id, branding } = found;
  return {
    name,
    status: found.status,
    statuses: partyStatuses,
    setStatus: (status) => control.updateMember(id, { status: status as (typeof partyStatuses)[number] }),
    details: detailList({
      [labels.member]: idText(found.member_id),
      [labels.memberAccount]: idText(account),
      [labels.organization]: organizationLink(organization_id),
      [labels.hostedPageName]: branding.name,
      [labels.colour]: branding.color,
    }),
  };
};

const findMerchant: FindParty = async ({ service, control, id, texts }) => {
  const found = (await control.listOrganizations()).find(({ organization_id }) => organization_id === id);
  if (found === undefined) return null;
  return {
    name: found.name,
    status: found.status,
    statuses: ["active", "suspended"],
    setStatus: (status) => control.updateOrganization(id, { status: status === "active" ? "active" : "suspended" }),
    details: html`${detailList({ [texts.labels.organization]: idText(id), [texts.labels.merchant]: idText(found.merchant_id) })}${await merchantKeys({ service, texts }, id)}`,
  };
};

export const networkDetails: ConsoleSection = {
  pages: { "network/{id}": detailPage },
  actions: { "network/{id}/move": changeStatus, ...merchantKeyActions },
};
