import type { SandboxControl } from "../../../control/control.ts";
import type { MembershipRecord, OperatorRecord } from "../../../control/network-records.ts";
import { ApiError, notFound } from "../../../domain/api-error.ts";
import type { Currency } from "../../../domain/currencies.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Service } from "../../../runtime/service.ts";
import { membershipStatuses, partyStatuses } from "../../../storage/network-tables.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { selectField } from "../../components/forms.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsolePageRequest, ConsoleSection, PageHandler } from "../../components/section.ts";
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
  const { name, status, statuses, details } = await findParty(request);
  const choices = Object.fromEntries(statuses.map((state) => [state, state.replaceAll("_", " ")]));
  const main = html`<p class="breadcrumb"><a href="${pageUrl("network")}">Network</a></p>
<h1>${name} ${badge(status)}</h1>
<form method="post" action="${pageUrl("network", request.id)}/move" class="control-form">${selectField({ name: "status", label: "State", choices, chosen: status })}<button>Change</button></form>
${details}`;
  return { tab: "network", title: name, main };
};

const changeStatus: ActionHandler = async ({ service, control, id, form }) => {
  const party = await findParty({ service, control, id, query: new URLSearchParams() });
  const status = form.get("status") ?? "";
  if (!party.statuses.includes(status)) throw new ApiError("bad_request", "This status is not possible here.");
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

const findMembership: FindParty = async ({ control, id }) => {
  const found = (await control.listMemberships()).find(({ membership_id }) => membership_id === id);
  if (found === undefined) return null;
  return {
    name: found.account,
    status: found.status,
    statuses: membershipStatuses,
    setStatus: (status) => control.updateMembership(id, { status: status as (typeof membershipStatuses)[number] }),
    details: html`${detailList({
      Membership: idText(id),
      Operator: html`<a href="${pageUrl("network", found.operator_id)}">${found.operator_id}</a>`,
      "Member Account": idText(found.account),
      Since: timeText(found.created_at),
      Changed: timeText(found.updated_at),
    })}${capabilityLists(found)}`,
  };
};

function capabilityLists({ capabilities }: MembershipRecord): Html {
  return html`${(["test", "live"] as const).map((environment) => {
    const states = Object.entries(capabilities[environment]).map(([name, state]) => [name, badge(state)]);
    return html`<h2>Capabilities, ${environment}</h2>${states.length === 0 ? html`<p class="none">None.</p>` : detailList(Object.fromEntries(states))}`;
  })}`;
}

const findOperator: FindParty = async ({ service, control, id, query }) => {
  const found = (await control.listOperators()).find(({ operator_id }) => operator_id === id);
  if (found === undefined) return null;
  return {
    name: found.name,
    status: found.status,
    statuses: partyStatuses,
    setStatus: (status) => control.updateOperator(id, { status: status as (typeof partyStatuses)[number] }),
    details: html`${detailList({
      Operator: idText(id),
      Organization: organizationLink(found.organization_id),
      "Fee rule": feeText(found.fee),
      "Grants at once, test": found.default_capabilities.test.join(", "),
      "Grants at once, live": found.default_capabilities.live.join(", "),
    })}<h2>Fees earned</h2>${await feeList(service, control, id, query)}`,
  };
};

/** The page of the organization shows its API keys. */
function organizationLink(organizationId: string): Html {
  return html`<a href="${pageUrl("network", organizationId)}">${organizationId}</a>`;
}

function feeText(fee: OperatorRecord["fee"]): string {
  if (fee === null) return "none";
  const { kind, ...parts } = fee;
  return [kind, ...Object.entries(parts).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)].join(", ");
}

async function feeList(service: Service, control: SandboxControl, id: string, query: URLSearchParams): Promise<Html> {
  const { offset, limit } = parsePage(query);
  const earned = (await control.listOperatorFees(id)).slice(offset, offset + limit);
  const items = earned.map((fee) => ({
    href: pageUrl("transactions", fee.transaction_id),
    name: fee.transaction_id,
    about: [timeText(fee.created_at), fee.environment],
    amount: amountText(service, fee.amount, fee.currency_code as Currency),
  }));
  return pagedList(query, { items, emptyText: "None yet." });
}

const findMember: FindParty = async ({ control, id }) => {
  const found = (await control.listMembers()).find(({ member_id, account }) => [member_id, account].includes(id));
  if (found === undefined) return null;
  const { name, account, organization_id, branding } = found;
  return {
    name,
    status: found.status,
    statuses: partyStatuses,
    setStatus: (status) => control.updateMember(id, { status: status as (typeof partyStatuses)[number] }),
    details: detailList({
      Member: idText(found.member_id),
      "Member Account": idText(account),
      Organization: organizationLink(organization_id),
      "Name on the hosted page": branding.name,
      Colour: branding.color,
    }),
  };
};

const findMerchant: FindParty = async ({ service, control, id }) => {
  const found = (await control.listOrganizations()).find(({ organization_id }) => organization_id === id);
  if (found === undefined) return null;
  return {
    name: found.name,
    status: found.status,
    statuses: ["active", "suspended"],
    setStatus: (status) => control.updateOrganization(id, { status: status === "active" ? "active" : "suspended" }),
    details: html`${detailList({ Organization: idText(id), Merchant: idText(found.merchant_id) })}${await merchantKeys(service, id)}`,
  };
};

export const networkDetails: ConsoleSection = {
  pages: { "network/{id}": detailPage },
  actions: { "network/{id}/move": changeStatus, ...merchantKeyActions },
};
