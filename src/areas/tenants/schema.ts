import { type Static, Type } from 'typebox'
import { Country, Currency, Email, Line, Locale, Nullable, OneOf, Text } from '#lib/schema.ts'

const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'As #rrggbb' })

/** What a brand is made of, each part with the rule it has to fit. */
export const BrandParts = {
  name: Line(),
  logoUrl: Type.String({
    ...{ format: 'uri', pattern: '^https://', maxLength: 500 },
    description:
      'https; shown by browsers and mail programs, never fetched by the service. A logo that was uploaded takes its place',
  }),
  primaryColor: Color,
  accentColor: Color,
  locale: Locale,
  senderName: Line(100),
  senderAddress: Email,
  legalFooter: Text(2000),
} as const

/** Where the logo of a shop is, under its own address. */
export const LOGO_PATH = '/v1/brand/logo'

/** The SHA-256 over the bytes of a logo. */
export const LogoHash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** How a tenant shows itself. */
export const Brand = Type.Partial(Type.Object(BrandParts), { additionalProperties: false })
export type Brand = Static<typeof Brand>

/** A brand as it is shown: with a name in any case, and the hash of an uploaded logo. */
export type ShownBrand = Brand & { name: string; logoHash?: string }

/**
 * Where the logo of a brand is: an uploaded one under `origin`, which may be empty for a page of the
 * shop itself, else the address the brand names, else null.
 */
export function logoUrlOf({ logoHash, logoUrl }: ShownBrand, origin: string): string | null {
  return logoHash ? `${origin}${LOGO_PATH}?sha256=${logoHash}` : (logoUrl ?? null)
}

/** Who sells, as invoices name it, and how it is taxed. */
export const Seller = Type.Object(
  {
    name: Line(),
    line1: Line(),
    line2: Nullable(Line()),
    postcode: Line(20),
    city: Line(100),
    country: Country,
    email: Nullable(Email),
    vatNumber: Nullable(Line(20)),
    registerNumber: Nullable(Line(50)),
    iban: Nullable(Line(42)),
    bic: Nullable(Line(11)),
    currency: Currency,
    priceMode: OneOf(['exclusive', 'inclusive']),
    smallBusiness: Type.Boolean({ description: 'Sells without VAT, as small businesses may' }),
    oneStopShop: Type.Boolean({ description: 'Declares the VAT of other EU countries at home' }),
  },
  { additionalProperties: false },
)
export type Seller = Static<typeof Seller>

/** Who sells, where a tenant has not said. */
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
