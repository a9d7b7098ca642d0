import { cancelInvite, completeInvite, createInvite, listInvites, readInvite } from "../network/invites.ts";
import { createMember, listMembers, memberByAccount, updateMember } from "../network/members.ts";
import { listMemberships, openMembership, updateMembership } from "../network/memberships.ts";
import { listOperatorFees } from "../network/operator-fees.ts";
import { createOperator, listOperators, readOperator, updateOperator } from "../network/operators.ts";
import { changeState, type Service } from "../service/service.ts";
import {
  type InviteRecord,
  inviteRecord,
  type MemberRecord,
  type MembershipRecord,
  memberRecord,
  membershipRecord,
  type OperatorFeeRecord,
  type OperatorRecord,
  operatorFeeRecord,
  operatorRecord,
} from "./network-records.ts";
import { type NetworkWish, networkWishes, readWish } from "./network-wishes.ts";

/** Who may act for whom: what an Operator does in its dashboard, and a member in its own. */
export type NetworkControl = {
  listOperators(): Promise<readonly OperatorRecord[]>;
  createOperator(wish: NetworkWish<"newOperator">): Promise<OperatorRecord>;
  updateOperator(operatorId: string, wish: NetworkWish<"operator">): Promise<OperatorRecord>;
  /** What the Operator earned with completed payments, newest first. */
  listOperatorFees(operatorId: string): Promise<readonly OperatorFeeRecord[]>;
  listMembers(): Promise<readonly MemberRecord[]>;
  createMember(wish: NetworkWish<"newMember">): Promise<MemberRecord>;
  updateMember(memberId: string, wish: NetworkWish<"member">): Promise<MemberRecord>;
  listMemberships(): Promise<readonly MembershipRecord[]>;
  createMembership(wish: NetworkWish<"newMembership">): Promise<MembershipRecord>;
  updateMembership(membershipId: string, wish: NetworkWish<"membership">): Promise<MembershipRecord>;
  listInvites(): Promise<readonly InviteRecord[]>;
  createInvite(wish: NetworkWish<"newInvite">): Promise<InviteRecord>;
  updateInvite(inviteId: string, wish: NetworkWish<"invite">): Promise<InviteRecord>;
  /** As the member on the page of the link; answers the membership, which then waits for review. */
  completeInvite(inviteId: string, wish: NetworkWish<"completion">): Promise<MembershipRecord>;
};

export function networkControl(service: Service): NetworkControl {
  return { ...operators(service), ...members(service), ...memberships(service), ...invites(service) };
}

type Operators = Pick<NetworkControl, "listOperators" | "createOperator" | "updateOperator" | "listOperatorFees">;

function operators(service: Service): Operators {
  const { rows } = service.store;
  return {
    listOperators: async () => all(await listOperators(rows), (operator) => operatorRecord(rows, operator)),
    async createOperator(wish) {
      const terms = readWish(networkWishes.newOperator, wish);
      return operatorRecord(rows, await changeState(service, (change) => createOperator(change, terms)));
    },
    async updateOperator(operatorId, wish) {
      const terms = readWish(networkWishes.operator, wish);
      return operatorRecord(rows, await changeState(service, (change) => updateOperator(change, operatorId, terms)));
    },
    async listOperatorFees(operatorId) {
      const { operator_id } = await readOperator(rows, operatorId);
      return (await listOperatorFees(rows, operator_id)).map(operatorFeeRecord);
    },
  };
}

type Members = Pick<NetworkControl, "listMembers" | "createMember" | "updateMember">;

function members(service: Service): Members {
  const { rows } = service.store;
  return {
    listMembers: async () => all(await listMembers(rows), (member) => memberRecord(rows, member)),
    async createMember(wish) {
      const terms = readWish(networkWishes.newMember, wish);
      return memberRecord(rows, await changeState(service, (change) => createMember(change, terms)));
    },
    async updateMember(memberId, wish) {
      const terms = readWish(networkWishes.member, wish);
      return memberRecord(rows, await changeState(service, (change) => updateMember(change, memberId, terms)));
    },
  };
}

type Memberships = Pick<NetworkControl, "listMemberships" | "createMembership" | "updateMembership">;

function memberships(service: Service): Memberships {
  const { rows } = service.store;
  return {
    listMemberships: async () => all(await listMemberships(rows), (membership) => membershipRecord(rows, membership)),
    async createMembership(wish) {
      const { operator_id, account, status, capabilities } = readWish(networkWishes.newMembership, wish);
      const membership = await changeState(service, async (change) => {
        const operator = await readOperator(change.rows, operator_id);
        const member = await memberByAccount(change.rows, account);
        return openMembership(change, { operator, member }, status ?? "active", capabilities);
      });
      return membershipRecord(rows, membership);
    },
    async updateMembership(membershipId, wish) {
      const terms = readWish(networkWishes.membership, wish);
      const membership = await changeState(service, (change) => updateMembership(change, membershipId, terms));
      return membershipRecord(rows, membership);
    },
  };
}

type Invites = Pick<NetworkControl, "listInvites" | "createInvite" | "updateInvite" | "completeInvite">;

function invites(service: Service): Invites {
  const { rows } = service.store;
  return {
    async listInvites() {
      const found = await listInvites(rows, service.clock.now());
      return found.map((invite) => inviteRecord(service, invite));
    },
    async createInvite(wish) {
      const { operator_id, requested_capabilities } = readWish(networkWishes.newInvite, wish);
      const invite = await changeState(service, (change) => createInvite(change, operator_id, requested_capabilities));
      return inviteRecord(service, invite);
    },
    async updateInvite(inviteId, wish) {
      readWish(networkWishes.invite, wish);
      const invite = await changeState(service, async (change) =>
        cancelInvite(change, await readInvite(change, "invite_id", inviteId)),
      );
      return inviteRecord(service, invite);
    },
    async completeInvite(inviteId, wish) {
      const { account } = readWish(networkWishes.completion, wish);
      const membership = await changeState(service, async (change) => {
        const invite = await readInvite(change, "invite_id", inviteId);
        return completeInvite(change, invite, await memberByAccount(change.rows, account));
      });
      return membershipRecord(rows, membership);
    },
  };
}

function all<Row, Record>(rows: readonly Row[], shown: (row: Row) => Promise<Record>): Promise<Record[]> {
  return Promise.all(rows.map(shown));
}
