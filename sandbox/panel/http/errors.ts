/** An error as the panel sends it: `code` is the name of the exception class over there. */
export class PanelError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(status: number, code: string, detail: string, headers: Record<string, string> = {}) {
    super(detail)
    this.name = 'PanelError'
    this.status = status
    this.code = code
    this.headers = headers
  }

  body(): ErrorBody {
    return { errors: [{ code: this.code, status: String(this.status), detail: this.message }] }
  }
}

/** One rule one field did not keep. */
export type Failure = { field: string; rule: string; message: string }

/** 422: one entry for each rule that was not kept. */
export class ValidationError extends PanelError {
  readonly failures: readonly Failure[]

  constructor(failures: readonly Failure[]) {
    super(422, 'ValidationException', failures[0]?.message ?? 'The given data was invalid.')
    this.failures = failures
  }

  override body(): ErrorBody {
    return {
      errors: this.failures.map(({ field, rule, message }) => ({
        code: this.code,
        status: '422',
        detail: message,
        meta: { source_field: field, rule },
      })),
    }
  }
}

export type ErrorBody = {
  errors: {
    code: string
    status: string
    detail: string
    meta?: { source_field: string; rule: string }
  }[]
}

export function unauthenticated(): PanelError {
  return new PanelError(401, 'AuthenticationException', 'Unauthenticated.')
}

export function accessDenied(detail = 'This action is unauthorized.'): PanelError {
  return new PanelError(403, 'AccessDeniedHttpException', detail)
}

/** 404 for a thing that is not there; an unknown route has another text. */
export function notFound(): PanelError {
  const detail = 'The requested resource could not be found on the server.'
  return new PanelError(404, 'NotFoundHttpException', detail)
}

export function unknownRoute(path: string): PanelError {
  const detail = `The route ${path.replace(/^\/+/, '')} could not be found.`
  return new PanelError(404, 'NotFoundHttpException', detail)
}

/** 400: a refusal of the business kind. */
export function refused(detail: string, code = 'DisplayException'): PanelError {
  return new PanelError(400, code, detail)
}

/** 500: a request that was found valid broke a rule of the database, so a race was lost. */
export function dataInvalid(model: string, field: string, message: string): PanelError {
  const reasons = JSON.stringify({ [field]: [message] })
  const detail = `Could not save Pterodactyl\\Models\\${model}[]: failed to validate data: ${reasons}`
  return new PanelError(500, 'DataValidationException', detail)
}

export function daemonUnreachable(): PanelError {
  const detail =
    'Could not establish a connection to the machine running this server. Please try again.'
  return new PanelError(504, 'DaemonConnectionException', detail)
}

/** An error that a machine itself answered, passed on. */
export function daemonRefused(): PanelError {
  const detail =
    'There was an error while communicating with the machine running this server. This error has been logged, please try again. (code: 500) (request_id: sandbox)'
  return new PanelError(500, 'DaemonConnectionException', detail)
}

/** What the panel says of a fault of its own. */
export function serverError(): PanelError {
  const detail =
    'An unexpected error was encountered while processing this request, please try again.'
  return new PanelError(500, 'HttpException', detail)
}

export function tooManyAttempts(headers: Record<string, string>): PanelError {
  return new PanelError(429, 'ThrottleRequestsException', 'Too Many Attempts.', headers)
}
