import { type Static, Type } from 'typebox'
import {
  Body,
  Id,
  Line,
  Named,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { BrandParts, Seller, SellerEntered } from '../schema.ts'

const MAX_DOMAINS = 20

export const TenantStatus = Named(
  'TenantStatus',
  OneOf(
    ['active', 'suspended', 'closed'],
    '`suspended`: served to its staff only; `closed`: not served, but kept',
  ),
)
export type TenantStatus = Static<typeof TenantStatus>

const Domain = Type.String({
  ...{ minLength: 1, maxLength: 260 },
  description: 'A host name. A port is left out, other scripts are kept as punycode',
})
const Domains = (minItems: number) =>
  Type.Array(Domain, {
    ...{ minItems, maxItems: MAX_DOMAINS },
    description: 'The host names of the shop; the first one stands in links',
  })

/** Every part may be left out; null removes it. */
const BrandFields = Resource('TenantBrand', {
  name: Nullable(BrandParts.name),
  logoUrl: Nullable(BrandParts.logoUrl),
  primaryColor: Nullable(BrandParts.primaryColor),
  accentColor: Nullable(BrandParts.accentColor),
  locale: Nullable(BrandParts.locale),
  senderName: Nullable(BrandParts.senderName),
  senderAddress: Nullable(BrandParts.senderAddress),
  legalFooter: Nullable(BrandParts.legalFooter),
  supportAddress: Nullable(BrandParts.supportAddress),
  footerLinks: Nullable(BrandParts.footerLinks),
  socialLinks: Nullable(BrandParts.socialLinks),
})
export const BrandChange = Type.Partial(BrandFields, {
  additionalProperties: false,
  title: 'BrandChange',
})
export type BrandChange = Static<typeof BrandChange>

export const SellerChange = Type.Partial(Seller, {
  additionalProperties: false,
  title: 'SellerChange',
})
export type SellerChange = Static<typeof SellerChange>

export const NewTenant = Body({
  name: Line(),
  domains: Domains(1),
  brand: Type.Optional(BrandChange),
  seller: Type.Optional(SellerChange),
})
export type NewTenant = Static<typeof NewTenant>

/** What the staff of a tenant may change of it. */
export const ShopChange = Body({
  domains: Type.Optional(Domains(0)),
  brand: Type.Optional(BrandChange),
  seller: Type.Optional(SellerChange),
})
export type ShopChange = Static<typeof ShopChange>

export const TenantChange = Body({
  name: Type.Optional(Line()),
  domains: Type.Optional(Domains(0)),
  brand: Type.Optional(BrandChange),
  seller: Type.Optional(SellerChange),
  status: Type.Optional(TenantStatus),
})
export type TenantChange = Static<typeof TenantChange>

const ReadySince = {
  ...Timestamp,
  description: 'Since when the seller is complete; null: the shop sells nothing yet',
} as typeof Timestamp

export const TenantFields = {
  id: Id,
  name: Type.String(),
  isDefault: Type.Boolean({
    description: 'Whether it answers every host name that belongs to no other tenant',
  }),
  status: TenantStatus,
  url: Type.String({ description: 'Where its people reach it; stands in links' }),
  domains: Type.Array(Type.String()),
  proposedDomains: Type.Array(Type.String(), {
    description: 'Host names that its staff asked for; setting `domains` decides on all of them',
  }),
  brand: BrandFields,
  pictures: Type.Object(
    {
      logoUrl: Nullable(Type.String()),
      darkLogoUrl: Nullable(Type.String()),
      faviconUrl: Nullable(Type.String()),
    },
    { title: 'BrandPictures', description: 'The paths of the pictures that were uploaded' },
  ),
  seller: SellerEntered,
  sellerReadyAt: Nullable(ReadySince),
  createdAt: Timestamp,
  suspendedAt: Nullable(Timestamp),
  closedAt: Nullable(Timestamp),
}
export const Tenant = Resource('Tenant', TenantFields)
export type Tenant = Static<typeof Tenant>

export const TenantQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(TenantStatus),
})
