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

/** An address elsewhere that browsers open: https, with a host. */
const LinkUrl = Type.String({
  ...{ format: 'uri', pattern: '^https://[^/?#@\\s]+([/?#][^\\s]*)?$', maxLength: 500 },
  description: 'https',
})
const FooterLink = Type.Object(
  { label: Line(40), url: LinkUrl },
  { additionalProperties: false, title: 'FooterLink' },
)

const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'As #rrggbb' })

/** The parts of a brand, each with its rule. */
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
  supportAddress: {
    ...Email,
    description:
      'Where customers write to: shown on pages and in mails, and answers to mails go there',
  },
  footerLinks: Type.Array(FooterLink, {
    maxItems: 12,
    description: 'Links in the footer of pages, in this order',
  }),
  socialLinks: Type.Array(LinkUrl, {
    ...{ maxItems: 12, uniqueItems: true },
    description: 'The pages of the shop on social networks, shown in the footer',
  }),
} as const

/** The path of a shop's logo, under the shop's own URL. */
export const LOGO_PATH = '/v1/brand/logo'

/** The SHA-256 over the bytes of a picture of a brand. */
export const LogoHash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The appearance of a tenant. */
export const Brand = Type.Partial(Type.Object(BrandParts), { additionalProperties: false })
export type Brand = Static<typeof Brand>

/** A brand as it is shown: always with a name, and with the hashes of the pictures that were uploaded. */
export type ShownBrand = Brand & {
  name: string
  logoHash?: string
  darkLogoHash?: string
  faviconHash?: string
}

/**
 * The URL of a brand's logo: an uploaded one under `origin`, which may be empty for a page of the
 * shop itself, else the URL the brand contains, else null.
 */
export function logoUrlOf({ logoHash, logoUrl }: ShownBrand, origin: string): string | null {
  return pictureUrl(logoHash, origin) ?? logoUrl ?? null
}

/** The URLs of the logo for dark surroundings and of the icon in browser tabs, if they were uploaded. */
export function brandPicturesOf({ darkLogoHash, faviconHash }: ShownBrand, origin: string) {
  return {
    darkLogoUrl: pictureUrl(darkLogoHash, origin),
    faviconUrl: pictureUrl(faviconHash, origin),
  }
}

/** The URL of a picture of a brand that was uploaded, under `origin`; null without one. */
export function pictureUrl(hash: string | undefined, origin: string): string | null {
  return hash ? `${origin}${LOGO_PATH}?sha256=${hash}` : null
}

/** The VAT status of a seller: an explicit decision, because every price and invoice depends on it. */
export const TaxStatus = OneOf(
  ['registered', 'small_business', 'not_subject'],
  'registered: charges VAT under its own number; small_business: exempt, as small businesses may be; ' +
    'not_subject: outside the scope of VAT',
)
export type TaxStatus = Static<typeof TaxStatus>

/** Without these nothing is sold: an invoice must contain them, and there are no defaults. */
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

/** The seller as invoices name it, and how it is taxed. */
export const Seller = Type.Object({ ...IDENTITY, ...TERMS }, { additionalProperties: false })
/** A complete seller; the postcode is null if the country has none. */
export type Seller = Omit<Static<typeof Seller>, 'postcode'> & { postcode: string | null }

/** A seller as entered so far: null means not decided yet; until it is complete, nothing is sold. */
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

/** The defaults of what a tenant has not entered. They do not identify a seller. */
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

/** Prices of a shop without a country are shown as for this one, but never charged. */
const PREVIEW_COUNTRY = 'FR'

/** The seller's data that prices and taxes depend on, also while the seller is not complete. */
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
