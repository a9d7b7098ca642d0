import { cancelInvite, createInvite, listInvites, readInvite, submitAndApproveInvite } from "../network/invites.ts";
import { createMember, listMembers, readMemberByAccount, updateMember } from "../network/members.ts";
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
  updateOperator(operatorId: string, input: NetworkRequest<"operatorChange">): Promise<OperatorRecord>;
  /** The fees of the Operator for completed payments, newest first. */
  listOperatorFees(operatorId: string): Promise<readonly OperatorFeeRecord[]>;
  listMembers(): Promise<readonly MemberRecord[]>;
  createMember(input: NetworkRequest<"newMember">): Promise<MemberRecord>;
  updateMember(memberId: string, input: NetworkRequest<"memberChange">): Promise<MemberRecord>;
  listMemberships(): Promise<readonly MembershipRecord[]>;
  createMembership(input: NetworkRequest<"newMembership">): Promise<MembershipRecord>;
  updateMembership(membershipId: string, input: NetworkRequest<"membershipChange">): Promise<MembershipRecord>;
  listInvites(): Promise<readonly InviteRecord[]>;
  createInvite(input: NetworkRequest<"newInvite">): Promise<InviteRecord>;
  updateInvite(inviteId: string, input: NetworkRequest<"inviteChange">): Promise<InviteRecord>;
  /** Accepts the invite as the member does on the enrollment page. Returns the membership, which then waits for review. */
  completeInvite(inviteId: string, input: NetworkRequest<"inviteCompletion">): Promise<MembershipRecord>;
};

export function networkControl(service: Service): NetworkControl {
  return {
    ...operatorControl(service),
    ...memberControl(service),
    ...membershipControl(service),
    ...inviteControl(service),
  };
}

type OperatorControl = Pick<NetworkControl, "listOperators" | "createOperator" | "updateOperator" | "listOperatorFees">;

function operatorControl(service: Service): OperatorControl {
  const { database } = service.store;
  return {
    listOperators: async () =>
      toRecords(await listOperators(database), (operator) => operatorRecord(database, operator)),
    async createOperator(input) {
      const parsed = parseRequest(networkRequestSchemas.newOperator, input);
      return operatorRecord(
        database,
        await inDatabaseTransaction(service, (context) => createOperator(context, parsed)),
      );
    },
    async updateOperator(operatorId, input) {
      const parsed = parseRequest(networkRequestSchemas.operatorChange, input);
      return operatorRecord(
        database,
        await inDatabaseTransaction(service, (context) => updateOperator(context, operatorId, parsed)),
      );
    },
    async listOperatorFees(operatorId) {
      const { operator_id } = await readOperator(database, operatorId);
      return (await listOperatorFees(database, operator_id)).map(operatorFeeRecord);
    },
  };
}

type MemberControl = Pick<NetworkControl, "listMembers" | "createMember" | "updateMember">;

function memberControl(service: Service): MemberControl {
  const { database } = service.store;
  return {
    listMembers: async () => toRecords(await listMembers(database), (member) => memberRecord(database, member)),
    async createMember(input) {
      const parsed = parseRequest(networkRequestSchemas.newMember, input);
      return memberRecord(database, await inDatabaseTransaction(service, (context) => createMember(context, parsed)));
    },
    async updateMember(memberId, input) {
      const parsed = parseRequest(networkRequestSchemas.memberChange, input);
      return memberRecord(
        database,
        await inDatabaseTransaction(service, (context) => updateMember(context, memberId, parsed)),
      );
    },
  };
}

type MembershipControl = Pick<NetworkControl, "listMemberships" | "createMembership" | "updateMembership">;

function membershipControl(service: Service): MembershipControl {
  const { database } = service.store;
  return {
    listMemberships: async () =>
      toRecords(await listMemberships(database), (membership) => membershipRecord(database, membership)),
    async createMembership(input) {
      const { operator_id, account, status, capabilities } = parseRequest(networkRequestSchemas.newMembership, input);
      const membership = await inDatabaseTransaction(service, async (context) => {
        const operator = await readOperator(context.database, operator_id);
        const member = await readMemberByAccount(context.database, account);
        return openMembership(context, { operator, member }, status ?? "active", capabilities);
      });
      return membershipRecord(database, membership);
    },
    async updateMembership(membershipId, input) {
      const parsed = parseRequest(networkRequestSchemas.membershipChange, input);
      const membership = await inDatabaseTransaction(service, (context) =>
        updateMembership(context, membershipId, parsed),
      );
      return membershipRecord(database, membership);
    },
  };
}

type InviteControl = Pick<NetworkControl, "listInvites" | "createInvite" | "updateInvite" | "completeInvite">;

function inviteControl(service: Service): InviteControl {
  const { database } = service.store;
  return {
    async listInvites() {
      const found = await listInvites(database, service.clock.now());
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
      parseRequest(networkRequestSchemas.inviteChange, input);
      const invite = await inDatabaseTransaction(service, async (context) =>
        cancelInvite(context, await readInvite(context, "invite_id", inviteId)),
      );
      return inviteRecord(service, invite);
    },
    async completeInvite(inviteId, input) {
      const { account } = parseRequest(networkRequestSchemas.inviteCompletion, input);
      const membership = await inDatabaseTransaction(service, async (context) => {
        const invite = await readInvite(context, "invite_id", inviteId);
        return submitAndApproveInvite(context, invite, await readMemberByAccount(context.database, account));
      });
      return membershipRecord(database, membership);
    },
  };
}

function toRecords<Row, Result>(rows: readonly Row[], toRecord: (row: Row) => Promise<Result>): Promise<Result[]> {
  return Promise.all(rows.map(toRecord));
}
