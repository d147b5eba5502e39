import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Problem } from '#lib/problem.ts'
import { Country, Nullable, OneOf, Resource } from '#lib/schema.ts'
import { vatNumberOf } from '#lib/vat-number.ts'
import type { Deps } from '#platform/deps.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import { lookUpVatNumber } from '#users'
import { assertCountry } from '../checks.ts'
import { taxHomeOf } from '../tax.ts'
import type { TaxCustomer } from '../tax-rates/decision.ts'

/** What a buyer types about where they live, before it is stored. */
export const TypedPlace = {
  country: Type.Optional({
    ...Country,
    description: 'Where the buyer lives; the seller’s own without it',
  }),
  postcode: Type.Optional(Type.String({ maxLength: 20 })),
  vatNumber: Type.Optional(Type.String({ maxLength: 30 })),
}
type TypedPlace = Static<typeof Place>
const Place = Type.Object(TypedPlace)

/** What is known about the VAT number that was typed. */
export const TypedVat = Nullable(
  Resource('TypedVatNumber', {
    number: Type.String(),
    status: OneOf(['valid', 'invalid', 'unavailable', 'unchecked', 'malformed']),
    message: Nullable(Type.String()),
  }),
)
export type TypedVat = Static<typeof TypedVat>

/**
 * The customer for whose data a sale is taxed, from what a buyer typed; null if nothing was typed. A malformed number
 * is reported and taxed as no number. 422 for a country that does not exist, 429 for too many new numbers. Not in a
 * transaction: the register of the EU may be asked.
 */
export async function typedBuyer(
  deps: Deps,
  request: FastifyRequest,
  { country: typed, postcode, vatNumber: text }: TypedPlace,
): Promise<{ customer: TaxCustomer | null; vat: TypedVat }> {
  const { db, tenantId, now, spendAuthQuota: spend, transact } = request
  if (typed !== undefined) assertCountry(typed)
  if (typed === undefined && text === undefined) return { customer: null, vat: null }
  const country = typed ?? (await taxHomeOf(db, tenantId)).profile.country
  const place = { country, postcode: postcode ?? null }
  const consumer = { ...place, vatNumber: null, vatStatus: 'none' } as const
  if (text === undefined || text.trim() === '') return { customer: consumer, vat: null }
  try {
    const vatNumber = vatNumberOf(text, country)
    const number = { tenantId, vatNumber }
    const status = await lookUpVatNumber(deps, number, { db, now, spend, transact })
    const customer = { ...consumer, vatNumber, vatStatus: status }
    return { customer, vat: { number: vatNumber, status, message: null } }
  } catch (error) {
    if (!(error instanceof Problem) || error.statusCode !== 422) throw error
    const message = error.messageIn(problemLanguageOf(request))
    return { customer: consumer, vat: { number: text, status: 'malformed', message } }
  }
}
