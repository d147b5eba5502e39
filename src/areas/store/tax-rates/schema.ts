import { type Static, Type } from 'typebox'
import {
  Body,
  Country,
  DayOn,
  Id,
  Line,
  Nullable,
  OneOf,
  Rate,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

const TaxClass = Type.String({ pattern: '^[a-z0-9]+([_-][a-z0-9]+)*$', maxLength: 50 })
const Category = OneOf(['S', 'E'], 'EN 16931: S taxed, E exempt (its rate is 0)')

export const NewTaxRate = Body({
  name: Line(),
  country: Country,
  rateBasisPoints: Rate,
  class: Type.Optional(TaxClass),
  category: Type.Optional(Category),
  validFrom: Type.Optional(DayOn),
  validTo: Type.Optional(Nullable(DayOn)),
})
export type NewTaxRate = Static<typeof NewTaxRate>

export const TaxRateChange = Body({
  name: Type.Optional(Line()),
  country: Type.Optional(Country),
  rateBasisPoints: Type.Optional(Rate),
  class: Type.Optional(TaxClass),
  category: Type.Optional(Category),
  validFrom: Type.Optional(DayOn),
  validTo: Type.Optional(Nullable(DayOn)),
  effectiveFrom: Type.Optional(DayOn),
})
export type TaxRateChange = Static<typeof TaxRateChange>

const Version = Resource('TaxRateVersion', {
  rateBasisPoints: Type.Integer(),
  validFrom: DayOn,
  validTo: Nullable(DayOn),
})

export const TaxRate = Resource('TaxRate', {
  id: Id,
  name: Type.String(),
  country: Type.String(),
  class: Type.String(),
  category: Category,
  rateBasisPoints: Type.Integer({ description: 'What counts today, else next, else last' }),
  validFrom: DayOn,
  validTo: Nullable(DayOn),
  versions: Type.Array(Version, { description: 'What counted when, oldest first' }),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})

export const EuImport = Resource('TaxRateImport', {
  created: Type.Integer(),
  updated: Type.Integer({ description: 'Rates that got a newer change of the table' }),
  unchanged: Type.Integer(),
  asOf: DayOn,
})
