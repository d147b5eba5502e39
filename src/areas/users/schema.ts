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
  title: 'NewPassword',
  minLength: 10,
  maxLength: 200,
  description: 'Neither the e-mail address nor one of the most common passwords',
})

/** A password that is checked against the stored one, not a new one. */
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

export const ConsentSource = OneOf(
  ['registration', 'profile', 'api_key'],
  'registration: when the account was opened; profile: signed in; api_key: by an application with a key of the person',
)
export type ConsentSource = Static<typeof ConsentSource>

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
  marketingConsentSource: Nullable({
    ...ConsentSource,
    description: 'Where the person agreed; null without consent, and where that was not recorded',
  }),
  termsVersion: Nullable(
    Type.Integer({ description: 'The version of the terms accepted at registration' }),
  ),
  termsLanguage: Nullable(Type.String()),
  termsAcceptedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

/** The caller's own account, with what a front end needs to decide what to show them. */
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

/** An address as it is entered: optional parts may be left out. */
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

/** The form of a phone number, also in imports: the pattern is valid in SQL, too. */
export const PHONE = { minLength: 5, maxLength: 30, pattern: '^\\+?[0-9][0-9 ()./-]*$' }
export const Phone = Type.String({
  ...PHONE,
  description: 'With the code of the country: +33 1 23 45 67 89',
})

/** The fields of a profile that people change; those left out stay as they are. */
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
    Type.Boolean({ description: 'Whether the person agreed to receive news and offers' }),
  ),
  currentPassword: Type.Optional(Password),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
})
export type ProfileChange = Static<typeof ProfileChange>

/** Something that happened to a person. */
export const Moment = Resource('TimelineEntry', {
  id: Id,
  at: Timestamp,
  kind: Type.String({ description: '`billing.invoice-paid`: the area, and what happened' }),
  objectId: Nullable(Id),
  actorId: Nullable(
    Type.String({ format: 'uuid', description: 'Who did it, where that is known' }),
  ),
  detail: Nullable(Type.String()),
})
