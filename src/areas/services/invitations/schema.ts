import { type Static, Type } from 'typebox'
import { Body, Email, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { MEMBER_PERMISSIONS, MemberPermission } from '../schema.ts'

export const InvitationStatus = OneOf(['pending', 'accepted', 'declined', 'revoked', 'expired'])
export type InvitationStatus = Static<typeof InvitationStatus>

/** The requested permissions. */
export const Permissions = Type.Array(MemberPermission, { maxItems: MEMBER_PERMISSIONS.length })

export const NewInvitation = Body({
  email: Email,
  permissions: { ...Permissions, default: [] },
})
export type NewInvitation = Static<typeof NewInvitation>

export const Invitation = Resource('ServiceInvitation', {
  id: Id,
  serviceId: Id,
  email: Type.String(),
  permissions: Type.Array(MemberPermission),
  status: InvitationStatus,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})

/** An invitation with its token, which only the inviting user and the mail get. */
export const InvitationWithToken = Resource('CreatedServiceInvitation', {
  ...Invitation.properties,
  token: Type.String(),
})

/** What a link shows without signing in: no address, no full name. */
export const InvitationPreview = Resource('InvitationPreview', {
  serviceName: Type.String(),
  inviterFirstName: Type.String(),
  permissions: Type.Array(MemberPermission),
  status: InvitationStatus,
  expiresAt: Timestamp,
  forMe: Nullable(
    Type.Boolean({
      description: 'Whether it is for the address of the caller; null without a signed-in caller',
    }),
  ),
})

/** An invitation that its addressee has not answered; with the token to answer it. */
export const ReceivedInvitation = Resource('ReceivedInvitation', {
  id: Id,
  serviceName: Type.String(),
  inviterFirstName: Type.String(),
  permissions: Type.Array(MemberPermission),
  token: Type.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
