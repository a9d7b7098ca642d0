import type { SandboxControl } from "../../../control/control.ts";
import type { InviteRecord, MemberRecord, MembershipRecord, OperatorRecord } from "../../../control/network-records.ts";
import type { Organization } from "../../../control/organization-control.ts";
import { html } from "../../../pages/html.ts";
import { timeText } from "../../components/details.ts";
import { filterLinks, type ListItem, pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ConsoleSection, PageHandler } from "../../components/section.ts";
import { networkDetails } from "./network-details.ts";

/** The values of `show` in the query. */
const listNames = {
  "": "Memberships",
  operators: "Operators",
  members: "Members",
  invites: "Invites",
  merchants: "Merchants",
};

type ReadItems = (control: SandboxControl) => Promise<readonly ListItem[]>;

const readItemsByList: Record<string, ReadItems> = {
  "": async (control) => (await control.listMemberships()).map(membershipItem),
  operators: async (control) => (await control.listOperators()).map(operatorItem),
  members: async (control) => (await control.listMembers()).map(memberItem),
  invites: async (control) => (await control.listInvites()).map(inviteItem),
  merchants: async (control) => (await control.listOrganizations()).map(merchantItem),
};

const listPage: PageHandler = async ({ control, query }) => {
  const listName = query.get("show") ?? "";
  const all = Object.hasOwn(readItemsByList, listName) ? await readItemsByList[listName]?.(control) : undefined;
  const { offset, limit } = parsePage(query);
  const items = [...(all ?? [])].reverse().slice(offset, offset + limit);
  return {
    tab: "network",
    title: "Network",
    main: html`<h1>Network</h1>
${filterLinks("network", query, { name: "show", values: listNames })}
${pagedList(query, { items, emptyText: "None: create them with the control API." })}`,
  };
};

function membershipItem({ membership_id, account, status, capabilities }: MembershipRecord): ListItem {
  const granted = Object.values(capabilities.test).filter((state) => state === "active").length;
  return {
    href: pageUrl("network", membership_id),
    name: account,
    about: [`${granted} of ${Object.keys(capabilities.test).length} capabilities in test`, membership_id],
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
function inviteItem({ invite_id, operator_id, status, created_at, membership_id }: InviteRecord): ListItem {
  return {
    href: pageUrl("network", membership_id ?? operator_id),
    name: `Invite ${invite_id.slice(0, 8)}`,
    about: [timeText(created_at), membership_id === null ? "not answered" : "has a membership"],
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
