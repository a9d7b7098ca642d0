import type { SandboxControl } from "../../../control/control.ts";
import type { InviteRecord, MemberRecord, MembershipRecord, OperatorRecord } from "../../../control/network-records.ts";
import type { Organization } from "../../../control/organization-control.ts";
import { html } from "../../../pages/html.ts";
import { timeText } from "../../components/details.ts";
import { filterLinks, type ListItem, pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ConsoleSection, PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";
import { networkDetails } from "./network-details.ts";

type ReadItems = (control: SandboxControl, texts: ConsoleTexts) => Promise<readonly ListItem[]>;

/** The lists by the values of `show` in the query. */
const readItemsByList: Record<string, ReadItems> = {
  "": async (control, texts) => (await control.listMemberships()).map((row) => membershipItem(texts, row)),
  operators: async (control) => (await control.listOperators()).map(operatorItem),
  members: async (control) => (await control.listMembers()).map(memberItem),
  invites: async (control, texts) => (await control.listInvites()).map((row) => inviteItem(texts, row)),
  merchants: async (control) => (await control.listOrganizations()).map(merchantItem),
};

const listPage: PageHandler = async (request) => {
  const { control, query, texts } = request;
  const listName = query.get("show") ?? "";
  const all = Object.hasOwn(readItemsByList, listName) ? await readItemsByList[listName]?.(control, texts) : undefined;
  const { offset, limit } = parsePage(query);
  const items = [...(all ?? [])].reverse().slice(offset, offset + limit);
  return {
    tab: "network",
    title: texts.tabs.network,
    main: html`<h1>${texts.tabs.network}</h1>
${filterLinks("network", request, { name: "show", values: texts.network.lists })}
${pagedList(request, { items, emptyText: texts.network.none })}`,
  };
};

function membershipItem(
  { network }: ConsoleTexts,
  { membership_id, account, status, capabilities }: MembershipRecord,
): ListItem {
  const granted = Object.values(capabilities.test).filter((state) => state === "active").length;
  return {
    href: pageUrl("network", membership_id),
    name: account,
    about: [network.granted(granted, Object.keys(capabilities.test).length), membership_id],
    status,
  };
}

function operatorItem({ operator_id, name, status }: OperatorRecord): ListItem {
  return { href: pageUrl("network", operator_id), name, about: [operator_id], status };
}

function memberItem({ member_id, name, account, status }: MemberRecord): ListItem {
  return { href: pageUrl("network", member_id), name, about: [account], status };
}

/** The link of an invite is not shown, because everyone who has the link can accept the invite. */
function inviteItem({ network }: ConsoleTexts, invite: InviteRecord): ListItem {
  const { invite_id, operator_id, status, created_at, membership_id } = invite;
  return {
    href: pageUrl("network", membership_id ?? operator_id),
    name: network.invite(invite_id.slice(0, 8)),
    about: [timeText(created_at), membership_id === null ? network.notAnswered : network.hasMembership],
    status,
  };
}

function merchantItem({ organization_id, name, status }: Organization): ListItem {
  return { href: pageUrl("network", organization_id), name, about: [organization_id], status };
}

export const networkSection: ConsoleSection = {
  pages: { network: listPage, ...networkDetails.pages },
  actions: { ...networkDetails.actions },
};
