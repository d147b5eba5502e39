import { Type } from 'typebox'
import { Nullable, OneOf } from '#lib/schema.ts'
import { SecretSetting, settings } from '#tenants'

/** The security of a shop's administration. */
export const securitySettings = settings(
  'security',
  Type.Object({
    staffSecondFactor: Type.Boolean({
      default: false,
      description:
        'Staff need a second factor; without one, every administration route answers 403',
    }),
    apiKeysPerPerson: Type.Integer({
      ...{ default: 25, minimum: 1, maximum: 1000 },
      description: 'Maximum number of API keys per person; existing keys are kept',
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
        '`open`: everyone can open an account. `inviteOnly`: people with an invitation to a service. `closed`: no one',
      ),
      default: 'open',
    }),
    confirmBeforeSession: Type.Boolean({
      default: false,
      description:
        'Free and taken addresses are answered alike; a new account has no session before it is confirmed',
    }),
  }),
)

/** The shop's applications at other services, which let people link their accounts there. */
export const connectionSettings = settings(
  'connections',
  Type.Object({
    discordClientId: {
      ...Nullable(Type.String({ pattern: '^[0-9]{5,30}$' })),
      default: null,
      description: 'Client id of the Discord application; null: Discord accounts cannot be linked',
    },
    discordClientSecret: SecretSetting('Client secret of the Discord application'),
  }),
)

const Most = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 100_000, default: fallback, description })

/** How many mails a customer may make a shop send to addresses that are not proven to be theirs. */
export const limitSettings = settings(
  'limits',
  Type.Object({
    invitationsPerService: Most(20, 'Invitations to one service in a day, including resent ones'),
    invitationsPerPerson: Most(50, 'Invitations by one person in a day, including resent ones'),
    linksPerAccount: Most(15, 'Links to confirm an address or set a password, per account and day'),
    addressChangesPerAccount: Most(10, 'Address changes that one account may request in a day'),
    registrationsPerNetwork: Most(
      100,
      'Registrations by one network in a day, including those with taken addresses',
    ),
    takenAddressesPerNetwork: {
      ...Most(10, 'Taken addresses that one network may try to register in an hour'),
      minimum: 1,
    },
    accountsPerStaffMember: Most(
      100,
      'Accounts that one member of staff may create for customers in a day',
    ),
    unconfirmedNotices: Most(
      10,
      'Mails per day to an unconfirmed address that its account can trigger',
    ),
  }),
)
