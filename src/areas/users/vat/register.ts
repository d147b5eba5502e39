import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { SECOND_MS } from '#lib/time.ts'
import { type Outbound, OutboundError } from '#platform/outbound.ts'

/** Each country answers through the EU's register at its own pace: some take 15 seconds. */
const TIMEOUT_MS = 30 * SECOND_MS

/** The register's answer about a number, or that it is not available, and why. */
export type Answer =
  | {
      readonly status: 'valid' | 'invalid'
      /** Our own number, for which the register keeps its answer under a consultation number. */
      readonly requester: string | null
      readonly consultationNumber: string | null
    }
  | { readonly status: 'unavailable'; readonly why: string }

const Checked = Type.Object({
  countryCode: Type.String(),
  vatNumber: Type.String(),
  valid: Type.Boolean(),
  requestIdentifier: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const Failed = Type.Object({
  errorWrappers: Type.Array(Type.Object({ error: Type.String() }), { minItems: 1 }),
})

type Question = {
  readonly vatNumber: string
  /** The seller's own VAT number, if it has one. */
  readonly requester: string | null
}

/**
 * Asks VIES, the EU's register of VAT numbers, over its REST API. Every failure is
 * `unavailable`: only an explicit negative answer is `invalid`.
 */
export async function queryVies(
  outbound: Pick<Outbound, 'request'>,
  { url, signal }: { url: string; signal: AbortSignal },
  { vatNumber, requester }: Question,
): Promise<Answer> {
  const body = {
    ...{ countryCode: vatNumber.slice(0, 2), vatNumber: vatNumber.slice(2) },
    ...(requester && {
      requesterMemberStateCode: requester.slice(0, 2),
      requesterNumber: requester.slice(2),
    }),
  }
  try {
    const { text } = await outbound.request({
      ...{ url: `${url}/check-vat-number`, method: 'POST', timeoutMs: TIMEOUT_MS, signal },
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = answerIn(text, body, requester)
    // The register rejects our own number: an answer without a consultation number is better than none.
    if (requester && answer.status === 'unavailable' && answer.why === 'INVALID_REQUESTER_INFO') {
      return await queryVies(outbound, { url, signal }, { vatNumber, requester: null })
    }
    return answer
  } catch (error) {
    if (error instanceof OutboundError) return { status: 'unavailable', why: error.kind }
    throw error
  }
}

/** The register also answers 200 for failures: only the body decides. */
function answerIn(
  text: string,
  asked: { countryCode: string; vatNumber: string },
  requester: string | null,
): Answer {
  const answer = parsed(text)
  if (Value.Check(Failed, answer)) {
    const { errorWrappers }: Static<typeof Failed> = answer
    const why = errorWrappers[0]?.error ?? 'unknown'
    if (why !== 'INVALID_INPUT') return { status: 'unavailable', why }
    return { status: 'invalid', requester: null, consultationNumber: null }
  }
  if (!Value.Check(Checked, answer)) return { status: 'unavailable', why: 'no answer' }
  const { countryCode, vatNumber, valid, requestIdentifier }: Static<typeof Checked> = answer
  if (countryCode !== asked.countryCode || vatNumber !== asked.vatNumber) {
    return { status: 'unavailable', why: 'another number' }
  }
  return {
    ...{ status: valid ? 'valid' : 'invalid', requester },
    consultationNumber: requestIdentifier || null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
