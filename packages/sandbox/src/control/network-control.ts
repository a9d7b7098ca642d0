import { cancelInvite, completeInvite, createInvite, listInvites, readInvite } from "../network/invites.ts";
import { createMember, listMembers, memberByAccount, updateMember } from "../network/members.ts";
import { listMemberships, openMembership, updateMembership } from "../network/memberships.ts";
import { listOperatorFees } from "../network/operator-fees.ts";
import { createOperator, listOperators, readOperator, updateOperator } from "../network/operators.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
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
import { type NetworkRequest, networkRequestSchemas } from "./network-requests.ts";
import { parseRequest } from "./parse-request.ts";

/** The actions of Operators and members in their dashboards. */
export type NetworkControl = {
  listOperators(): Promise<readonly OperatorRecord[]>;
  createOperator(input: NetworkRequest<"newOperator">): Promise<OperatorRecord>;
  updateOperator(operatorId: string, input: NetworkRequest<"operator">): Promise<OperatorRecord>;
  /** The fees of the Operator for completed payments, newest first. */
  listOperatorFees(operatorId: string): Promise<readonly OperatorFeeRecord[]>;
  listMembers(): Promise<readonly MemberRecord[]>;
  createMember(input: NetworkRequest<"newMember">): Promise<MemberRecord>;
  updateMember(memberId: string, input: NetworkRequest<"member">): Promise<MemberRecord>;
  listMemberships(): Promise<readonly MembershipRecord[]>;
  createMembership(input: NetworkRequest<"newMembership">): Promise<MembershipRecord>;
  updateMembership(membershipId: string, input: NetworkRequest<"membership">): Promise<MembershipRecord>;
  listInvites(): Promise<readonly InviteRecord[]>;
  createInvite(input: NetworkRequest<"newInvite">): Promise<InviteRecord>;
  updateInvite(inviteId: string, input: NetworkRequest<"invite">): Promise<InviteRecord>;
  /** Accepts the invite as the member does on its page. Returns the membership, which then waits for review. */
  completeInvite(inviteId: string, input: NetworkRequest<"completion">): Promise<MembershipRecord>;
};

export function networkControl(service: Service): NetworkControl {
  return { ...operators(service), ...members(service), ...memberships(service), ...invites(service) };
}

type Operators = Pick<NetworkControl, "listOperators" | "createOperator" | "updateOperator" | "listOperatorFees">;

function operators(service: Service): Operators {
  const { rows } = service.store;
  return {
    listOperators: async () => all(await listOperators(rows), (operator) => operatorRecord(rows, operator)),
    async createOperator(input) {
      const parsed = parseRequest(networkRequestSchemas.newOperator, input);
      return operatorRecord(rows, await inDatabaseTransaction(service, (context) => createOperator(context, parsed)));
    },
    async updateOperator(operatorId, input) {
      const parsed = parseRequest(networkRequestSchemas.operator, input);
      return operatorRecord(
        rows,
        await inDatabaseTransaction(service, (context) => updateOperator(context, operatorId, parsed)),
      );
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
    async createMember(input) {
      const parsed = parseRequest(networkRequestSchemas.newMember, input);
      return memberRecord(rows, await inDatabaseTransaction(service, (context) => createMember(context, parsed)));
    },
    async updateMember(memberId, input) {
      const parsed = parseRequest(networkRequestSchemas.member, input);
      return memberRecord(
        rows,
        await inDatabaseTransaction(service, (context) => updateMember(context, memberId, parsed)),
      );
    },
  };
}

type Memberships = Pick<NetworkControl, "listMemberships" | "createMembership" | "updateMembership">;

function memberships(service: Service): Memberships {
  const { rows } = service.store;
  return {
    listMemberships: async () => all(await listMemberships(rows), (membership) => membershipRecord(rows, membership)),
    async createMembership(input) {
      const { operator_id, account, status, capabilities } = parseRequest(networkRequestSchemas.newMembership, input);
      const membership = await inDatabaseTransaction(service, async (context) => {
        const operator = await readOperator(context.rows, operator_id);
        const member = await memberByAccount(context.rows, account);
        return openMembership(context, { operator, member }, status ?? "active", capabilities);
      });
      return membershipRecord(rows, membership);
    },
    async updateMembership(membershipId, input) {
      const parsed = parseRequest(networkRequestSchemas.membership, input);
      const membership = await inDatabaseTransaction(service, (context) =>
        updateMembership(context, membershipId, parsed),
      );
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
    async createInvite(input) {
      const { operator_id, requested_capabilities } = parseRequest(networkRequestSchemas.newInvite, input);
      const invite = await inDatabaseTransaction(service, (context) =>
        createInvite(context, operator_id, requested_capabilities),
      );
      return inviteRecord(service, invite);
    },
    async updateInvite(inviteId, input) {
      parseRequest(networkRequestSchemas.invite, input);
      const invite = await inDatabaseTransaction(service, async (context) =>
        cancelInvite(context, await readInvite(context, "invite_id", inviteId)),
      );
      return inviteRecord(service, invite);
    },
    async completeInvite(inviteId, input) {
      const { account } = parseRequest(networkRequestSchemas.completion, input);
      const membership = await inDatabaseTransaction(service, async (context) => {
        const invite = await readInvite(context, "invite_id", inviteId);
        return completeInvite(context, invite, await memberByAccount(context.rows, account));
      });
      return membershipRecord(rows, membership);
    },
  };
}

function all<Row, Record>(rows: readonly Row[], toRecord: (row: Row) => Promise<Record>): Promise<Record[]> {
  return Promise.all(rows.map(toRecord));
}
