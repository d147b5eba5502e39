import { type Static, Type } from 'typebox'
import {
  Country,
  Currency,
  Email,
  Line,
  Locale,
  Nullable,
  OneOf,
  Resource,
  Text,
} from '#lib/schema.ts'

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

/** How a seller stands towards VAT: an explicit decision, because every price and invoice follows it. */
export const TaxStatus = OneOf(
  ['registered', 'small_business', 'not_subject'],
  'registered: charges VAT under its own number; small_business: exempt, as small businesses may be; ' +
    'not_subject: outside the scope of VAT',
)
export type TaxStatus = Static<typeof TaxStatus>

/** Without these nothing is sold: an invoice must name them, and nobody can guess them. */
const IDENTITY = {
  name: Line(),
  line1: Line(),
  postcode: Line(20),
  city: Line(100),
  country: Country,
  taxStatus: TaxStatus,
}

const TERMS = {
  line2: Nullable(Line()),
  email: Nullable(Email),
  vatNumber: Nullable(Line(20)),
  registerNumber: Nullable(Line(50)),
  iban: Nullable(Line(42)),
  bic: Nullable(Line(11)),
  currency: Currency,
  priceMode: OneOf(['exclusive', 'inclusive']),
  oneStopShop: Type.Boolean({ description: 'Declares the VAT of other EU countries at home' }),
}

/** Who sells, as invoices name it, and how it is taxed. */
export const Seller = Type.Object({ ...IDENTITY, ...TERMS }, { additionalProperties: false })
/** A complete seller; the postcode is null where the country has none. */
export type Seller = Omit<Static<typeof Seller>, 'postcode'> & { postcode: string | null }

/** A seller as it is entered so far: null is not decided yet, and nothing is sold before. */
export const SellerEntered = Resource('Seller', {
  name: Nullable(IDENTITY.name),
  line1: Nullable(IDENTITY.line1),
  postcode: Nullable(IDENTITY.postcode),
  city: Nullable(IDENTITY.city),
  country: Nullable(IDENTITY.country),
  taxStatus: Nullable(IDENTITY.taxStatus),
  ...TERMS,
})
export type SellerEntered = Static<typeof SellerEntered>

/** What holds where a tenant has not entered anything else. Nothing in it names a seller. */
export const SELLER_TERMS: SellerEntered = {
  name: null,
  line1: null,
  line2: null,
  postcode: null,
  city: null,
  country: null,
  taxStatus: null,
  email: null,
  vatNumber: null,
  registerNumber: null,
  iban: null,
  bic: null,
  currency: 'EUR',
  priceMode: 'exclusive',
  oneStopShop: true,
}

/** Prices of a shop that has not entered its country are shown as for this one; none is charged. */
const PREVIEW_COUNTRY = 'FR'

/** What prices and taxes depend on, also while the seller is not complete. */
export type SellerTerms = Pick<
  Seller,
  'postcode' | 'email' | 'vatNumber' | 'currency' | 'priceMode' | 'oneStopShop' | 'country'
> & { readonly taxStatus: TaxStatus | null }

/** The terms of a seller that may not be complete. */
export function termsIn(entered: SellerEntered): SellerTerms {
  const { postcode, email, vatNumber, currency, priceMode, oneStopShop, taxStatus } = entered
  const country = entered.country ?? PREVIEW_COUNTRY
  return { postcode, email, vatNumber, currency, priceMode, oneStopShop, country, taxStatus }
}
