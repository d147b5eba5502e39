import { type Static, Type } from 'typebox'
import {
  Body,
  Country,
  Email,
  Id,
  Line,
  Locale,
  Nullable,
  OneOf,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 200,
  description: 'Not the e-mail address, and none of the passwords everybody tries first',
})

/** A password that is compared, not chosen. */
export const Password = Type.String({ minLength: 1, maxLength: 200 })

export const Address = Type.Object(
  {
    line1: Line(),
    line2: Nullable(Line()),
    postcode: Line(20),
    city: Line(100),
    region: Nullable(Line(100)),
    country: Country,
  },
  { additionalProperties: false },
)

export const UserStatus = OneOf(['active', 'suspended', 'deleted'])
export type UserStatus = Static<typeof UserStatus>

export const User = Resource('User', {
  id: Id,
  email: Email,
  pendingEmail: Nullable(Email),
  emailVerifiedAt: Nullable(Timestamp),
  name: Type.String(),
  company: Nullable(Type.String()),
  vatNumber: Nullable(Type.String()),
  vatStatus: OneOf(['none', 'unchecked', 'valid', 'invalid', 'unavailable']),
  address: Nullable(Address),
  country: Nullable(Country),
  locale: Locale,
  status: UserStatus,
  roles: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  mfaEnabled: Type.Boolean(),
  createdAt: Timestamp,
})

/** As it is typed: what an address can do without may be left out. */
const NewAddress = Type.Object(
  {
    line1: Line(),
    line2: Type.Optional(Nullable(Line())),
    postcode: Line(20),
    city: Line(100),
    region: Type.Optional(Nullable(Line(100))),
    country: Country,
  },
  { additionalProperties: false },
)

/** What people change of their profile; what is left out stays. */
export const ProfileChange = Body({
  name: Type.Optional(Line()),
  email: Type.Optional(Email),
  company: Type.Optional(Nullable(Line())),
  vatNumber: Type.Optional(Nullable(Line(30))),
  address: Type.Optional(Nullable(NewAddress)),
  country: Type.Optional(Nullable(Country)),
  locale: Type.Optional(Locale),
  currentPassword: Type.Optional(Password),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
})
export type ProfileChange = Static<typeof ProfileChange>
