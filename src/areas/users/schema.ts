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
  { additionalProperties: false, title: 'Address' },
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
  roles: Type.Array(Resource('RoleName', { id: Id, name: Type.String() })),
  mfaEnabled: Type.Boolean(),
  phone: Nullable(Type.String()),
  timeZone: Nullable(Type.String({ description: 'As the IANA database names it' })),
  marketingConsentAt: Nullable({
    ...Timestamp,
    description: 'When the person agreed to get news and offers; null where they do not want any',
  }),
  termsVersion: Nullable(
    Type.Integer({ description: 'The version of the terms accepted at registration' }),
  ),
  termsLanguage: Nullable(Type.String()),
  termsAcceptedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

/** The caller: the person, and what a front end has to know to show them what they may do. */
export const Me = Resource('Me', {
  ...User.properties,
  permissions: Type.Array(Type.String(), {
    description: 'Every permission that the roles and groups of the person give, sorted',
  }),
  platform: Type.Boolean({ description: 'Whether the person is staff of the default tenant' }),
  impersonation: Nullable(
    Type.Object({
      byName: Type.String(),
      until: Nullable(Timestamp),
    }),
  ),
})
export type Me = Static<typeof Me>

/** As it is typed: what an address can do without may be left out. */
export const NewAddress = Type.Object(
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

/** What a phone number looks like, here and in imports: the pattern is valid in SQL, too. */
export const PHONE = { minLength: 5, maxLength: 30, pattern: '^\\+?[0-9][0-9 ()./-]*$' }
export const Phone = Type.String({
  ...PHONE,
  description: 'With the code of the country: +33 1 23 45 67 89',
})

/** What people change of their profile; what is left out stays. */
export const ProfileChange = Body({
  name: Type.Optional(Line()),
  email: Type.Optional(Email),
  company: Type.Optional(Nullable(Line())),
  vatNumber: Type.Optional(Nullable(Line(30))),
  address: Type.Optional(Nullable(NewAddress)),
  country: Type.Optional(Nullable(Country)),
  locale: Type.Optional(Locale),
  phone: Type.Optional(Nullable(Phone)),
  timeZone: Type.Optional(
    Nullable({ ...Line(64), description: 'As the IANA database names it: `Europe/Paris`' }),
  ),
  marketingConsent: Type.Optional(
    Type.Boolean({ description: 'Whether the person wants news and offers' }),
  ),
  currentPassword: Type.Optional(Password),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
})
export type ProfileChange = Static<typeof ProfileChange>
