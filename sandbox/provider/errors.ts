/** What the `error` key of an answer holds. Fields that do not apply are left out. */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  advice_code?: string
  param?: string
  charge?: string
  payment_intent?: object
  setup_intent?: object
  payment_method?: object
}

/** The one error the API answers with; anything else that is thrown becomes a 500. */
export class ProviderError extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.name = 'ProviderError'
    this.status = status
    this.body = body
  }
}

type Where = { param?: string; code?: string }

/** 400: a parameter is wrong, or does not fit the others. */
export function invalid(message: string, where: Where = {}): ProviderError {
  return new ProviderError(400, { type: 'invalid_request_error', message, ...where })
}

/** 404 for an id in the path; 400 for one in a parameter, which is then named. */
export function noSuch(kind: string, id: string, param?: string): ProviderError {
  return new ProviderError(param && param !== 'id' ? 400 : 404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: param ?? 'id',
  })
}

/** 400: an intent is in a state that forbids this. The intent goes into the error. */
export function unexpectedState(
  kind: 'payment_intent' | 'setup_intent',
  intent: { status: string },
  verb: string,
): ProviderError {
  const name = kind === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'
  return new ProviderError(400, {
    type: 'invalid_request_error',
    code: `${kind}_unexpected_state`,
    message: `You cannot ${verb} this ${name} because it has a status of ${intent.status}.`,
    [kind]: structuredClone(intent),
  })
}

/** The envelope of an error, with the links every answer carries. */
export function envelope(body: ErrorBody, baseUrl: string, requestId: string): object {
  const { code } = body
  return {
    error: {
      ...body,
      ...(code && { doc_url: `https://docs.stripe.com/error-codes#${code.replaceAll('_', '-')}` }),
      request_log_url: `${baseUrl}/_sandbox/journal?request=${requestId}`,
    },
  }
}

/** 400 for a parameter that the API has and the sandbox cannot honour: better than ignoring it. */
export function refuseParameters(params: object, names: readonly string[]): void {
  const param = names.find((name) => name in params)
  if (param) throw invalid(`The sandbox does not support ${param}.`, { param })
}
