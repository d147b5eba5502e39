import { Type } from 'typebox'
import { Country, Currency, Id, Locale, Nullable, OneOf, Resource } from '#lib/schema.ts'

export const Health = Resource('Health', {
  status: OneOf(['up', 'degraded', 'down'], 'degraded: it serves, and its clock is wrong'),
  checks: Type.Object({
    database: OneOf(['up', 'down']),
    jobs: OneOf(['up', 'down']),
    rateLimitStore: OneOf(['up', 'local']),
    files: OneOf(['up', 'down'], 'down: documents wait, nothing else does'),
    clock: Type.Object({
      status: OneOf(
        ['right', 'wrong', 'unknown'],
        'wrong: more than 30 seconds away from the database server’s',
      ),
      skewSeconds: Nullable(
        Type.Number({
          description:
            'How far this process is ahead of the database server; 0 with the embedded database',
        }),
      ),
    }),
  }),
})

export const Meta = Resource('Meta', {
  name: Type.String(),
  version: Type.String(),
  brand: Type.Object({
    name: Type.String(),
    logoUrl: Nullable(Type.String()),
    darkLogoUrl: Nullable(
      Type.String({ description: 'The logo for dark surroundings; null: the logo is for both' }),
    ),
    faviconUrl: Nullable(Type.String({ description: 'The icon in browser tabs' })),
    primaryColor: Nullable(Type.String()),
    accentColor: Nullable(Type.String()),
    legalFooter: Nullable(Type.String()),
    supportAddress: Nullable(Type.String()),
    links: Type.Array(Type.Object({ label: Type.String(), url: Type.String() }), {
      description: 'Links in the footer: of the shop, then its pages on social networks',
    }),
  }),
  status: OneOf(['open', 'suspended'], 'suspended: served to the staff of the shop only'),
  sourceUrl: Nullable(
    Type.String({ description: 'Where the source of this version is offered (AGPL, section 13)' }),
  ),
  locale: Type.String(),
  currency: Type.String(),
  country: Type.String(),
  locales: Type.Array(Locale, { description: 'The languages that people can choose' }),
  currencies: Type.Array(Currency, {
    description: 'The currency of the shop, and every other one in which something is on sale',
  }),
  priceMode: OneOf(['exclusive', 'inclusive'], 'Whether prices are kept without tax or with it'),
  seller: Nullable(
    Type.Object(
      {
        name: Type.String(),
        address: Type.Object({
          line1: Type.String(),
          line2: Nullable(Type.String()),
          postcode: Nullable(Type.String()),
          city: Type.String(),
          country: Country,
        }),
        email: Nullable(Type.String()),
        vatNumber: Nullable(Type.String()),
        registerNumber: Nullable(Type.String()),
      },
      { description: 'Who sells, for the imprint; null until the shop sells' },
    ),
  ),
  legal: Type.Object(
    {
      terms: Nullable(Type.Integer()),
      privacy: Nullable(Type.Integer()),
      legal: Nullable(Type.Integer()),
      withdraw: Nullable(Type.Integer()),
    },
    { description: 'The newest version of each legal text; null where there is none' },
  ),
  gateways: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      driver: Type.String(),
      checkout: OneOf(
        ['redirect', 'instructions'],
        'Whether people pay on a page of the provider, or on their own by instructions, such as a bank transfer',
      ),
      icon: OneOf(
        ['card', 'bank', 'wallet'],
        'What people mostly pay with there, for an icon beside the name',
      ),
      saveMethod: OneOf(
        ['setup', 'with-first-payment', 'none'],
        'How a payment method is saved: without a payment, with one, or not at all',
      ),
      portal: Type.Boolean({ description: 'Whether the provider has pages for saved methods' }),
      currencies: Nullable(Type.Array(Currency, { description: 'Null: every currency' })),
      minimumCents: Type.Integer({ description: 'The least amount, in the currency of the shop' }),
      publishableKey: Nullable(Type.String({ description: 'For forms of the provider in a page' })),
    }),
  ),
  testMode: Type.Boolean({
    description:
      'Whether an enabled gateway is in test mode: payments are simulated, and front ends must say so',
  }),
  signInMethods: Type.Array(Type.String()),
  registration: OneOf(
    ['open', 'inviteOnly', 'closed'],
    'Who can open an account: everyone, people with an invitation, no one',
  ),
  confirmBeforeSession: Type.Boolean({
    description: 'Whether registration is answered with 202',
  }),
  features: Type.Object({
    affiliation: Type.Boolean({ description: 'Whether people can enrol to bring customers' }),
    affiliationConsent: Type.Boolean({
      description: 'Whether to ask visitors before the cookie of a click is set',
    }),
    connections: Type.Array(Type.String(), {
      description: 'Accounts of other services that can be linked',
    }),
    topUp: Type.Boolean({ description: 'Whether credit can be bought' }),
    vouchers: Type.Boolean({ description: 'Whether the shop has issued vouchers' }),
  }),
})
