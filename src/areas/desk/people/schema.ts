import { Type } from 'typebox'
import {
  Amount,
  Country,
  Currency,
  Id,
  Line,
  ListQuery,
  Nullable,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { UserFields, UserStatus } from '#users'

/** A person in the list of staff, with services and balances. */
export const Customer = Resource('Customer', {
  ...UserFields.properties,
  credit: Type.Array(Type.Object({ currency: Currency, balanceCents: Amount })),
  due: Type.Array(Type.Object({ currency: Currency, dueCents: Amount })),
  monthly: Type.Array(Type.Object({ currency: Currency, monthlyCents: Amount }), {
    description: 'Monthly revenue of their services',
  }),
  activeServices: Nullable(Type.Integer()),
  needsAttention: Type.Boolean({
    description: 'Whether one of their services failed, or an invoice is overdue',
  }),
  lastSeenAt: Nullable({ ...Timestamp, description: 'When one of their sessions was last used' }),
})

export const CustomerQuery = Type.Object({
  ...ListQuery.properties,
  search: Type.Optional({
    ...Line(254),
    description: 'Prefix of a word of e-mail, name or company',
  }),
  status: Type.Optional(UserStatus),
  roleId: Type.Optional({ ...Id, description: 'A role they hold, directly or through a group' }),
  country: Type.Optional(Country),
  verified: Type.Optional(Type.Boolean({ description: 'Whether the address is confirmed' })),
  withServices: Type.Optional(
    Type.Boolean({ description: 'Whether they own a service that has not ended' }),
  ),
})
