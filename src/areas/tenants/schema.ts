import { type Static, Type } from 'typebox'
import { Country, Currency, Line, Locale, Nullable, OneOf, Text } from '#lib/schema.ts'

/** How a tenant shows itself. */
export const Brand = Type.Object(
  {
    name: Type.Optional(Line()),
    logoUrl: Type.Optional(Type.String({ format: 'uri', pattern: '^https://', maxLength: 500 })),
    primaryColor: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
    accentColor: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
    locale: Type.Optional(Locale),
    legalFooter: Type.Optional(Text(2000)),
  },
  { additionalProperties: false },
)
export type Brand = Static<typeof Brand>

/** Who sells, as invoices name it, and how it is taxed. */
export const Seller = Type.Object(
  {
    name: Line(),
    line1: Line(),
    line2: Nullable(Line()),
    postcode: Line(20),
    city: Line(100),
    country: Country,
    email: Nullable(Type.String({ format: 'email' })),
    vatNumber: Nullable(Line(20)),
    registerNumber: Nullable(Line(50)),
    iban: Nullable(Line(34)),
    bic: Nullable(Line(11)),
    currency: Currency,
    priceMode: OneOf(['exclusive', 'inclusive']),
    smallBusiness: Type.Boolean(),
    oneStopShop: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type Seller = Static<typeof Seller>

/** Settings of a section, all with defaults. */
export const SellerDefaults: Seller = {
  name: 'Moorage',
  line1: '-',
  line2: null,
  postcode: '-',
  city: '-',
  country: 'FR',
  email: null,
  vatNumber: null,
  registerNumber: null,
  iban: null,
  bic: null,
  currency: 'EUR',
  priceMode: 'exclusive',
  smallBusiness: false,
  oneStopShop: true,
}
