import { Type } from 'typebox'
import { Nullable, OneOf } from '#lib/schema.ts'
import { SecretSetting, settings } from '#tenants'

/** How well a shop guards its administration. */
export const securitySettings = settings(
  'security',
  Type.Object({
    staffSecondFactor: Type.Boolean({
      default: false,
      description:
        'Administrators need a second factor: without one every route of the administration is a 403',
    }),
    apiKeysPerPerson: Type.Integer({
      ...{ default: 25, minimum: 1, maximum: 1000 },
      description: 'API keys that a person may have at once; existing ones stay',
    }),
  }),
)

export type RegistrationMode = 'open' | 'inviteOnly' | 'closed'

/** Who may open an account. */
export const registrationSettings = settings(
  'registration',
  Type.Object({
    mode: Type.Unsafe<RegistrationMode>({
      ...OneOf(
        ['open', 'inviteOnly', 'closed'],
        '`open`: everyone can open an account. `inviteOnly`: people with an invitation to a service. `closed`: nobody',
      ),
      default: 'open',
    }),
  }),
)

/** The applications that a shop has at other services, for linking accounts there. */
export const connectionSettings = settings(
  'connections',
  Type.Object({
    discordClientId: {
      ...Nullable(Type.String({ pattern: '^[0-9]{5,30}$' })),
      default: null,
      description: 'The application at Discord; null: accounts there cannot be linked',
    },
    discordClientSecret: SecretSetting('What the application at Discord shows of itself'),
  }),
)

const Most = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 100_000, default: fallback, description })

/** How much a customer may make a shop send to addresses that are not proven to be theirs. */
export const limitSettings = settings(
  'limits',
  Type.Object({
    invitationsPerService: Most(20, 'Invitations, resent ones included, to one service in a day'),
    invitationsPerPerson: Most(50, 'Invitations, resent ones included, by one person in a day'),
    linksPerAccount: Most(15, 'Links to confirm an address or set a password, per account and day'),
    addressChangesPerAccount: Most(10, 'Changes of address that one account asks for in a day'),
    registrationsPerNetwork: Most(
      100,
      'Registrations by one network in a day, those of taken addresses included',
    ),
    takenAddressesPerNetwork: {
      ...Most(10, 'Taken addresses that one network may try to register in an hour'),
      minimum: 1,
    },
    unconfirmedNotices: Most(
      10,
      'Mails per day to an unconfirmed address that its account can trigger',
    ),
  }),
)
